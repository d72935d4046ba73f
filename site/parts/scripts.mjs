// The scripts and styles of web/ as they are shipped: parts that are always loaded together are one
// file, without comments and spaces. Their sources stay modules that a browser could load as they
// stand.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build, transform } from 'esbuild';

// What pages name; everything else is loaded by these.
const FACADE = 'hotkv-player.js';
const MODULES = [FACADE, 'page.js'];
const EMBED = 'embed.js';
const CLASSIC = ['theme.js'];
const STYLES = ['styles.css', 'embed.css'];
// What every browser with WebAssembly, custom elements and import() can read.
const TARGET = 'es2022';

const SHORT = { minify: true, target: TARGET, charset: 'utf8', legalComments: 'none' };

/**
 * Modules with what they import; what they import later, and what they share because it is one
 * thing of the page (client_choice.js), are files of their own.
 */
async function bundled(web, names, external) {
  const { outputFiles } = await build({
    ...SHORT,
    entryPoints: names.map((name) => path.join(web, name)),
    outdir: web,
    bundle: true,
    splitting: true,
    format: 'esm',
    external,
    // Beside the entries, because modules find the engine and the styles from where they are. A
    // digit before the hash: such a name never changes its content.
    chunkNames: '[name].0[hash]',
    write: false,
  });
  return outputFiles.map((file) => [path.basename(file.path), file.text]);
}

/** Yields [name, content] of each file. */
export async function* shippedScripts(web) {
  yield* await bundled(web, MODULES, []);
  // The facade is one request, also where another script names it.
  yield* await bundled(web, [EMBED], [`./${FACADE}`]);
  for (const name of CLASSIC) {
    const source = fs.readFileSync(path.join(web, name), 'utf8');
    const { code } = await transform(source, SHORT);
    yield [name, code];
  }
  for (const name of STYLES) {
    const { outputFiles } = await build({
      ...SHORT, entryPoints: [path.join(web, name)], bundle: true, write: false,
    });
    yield [name, outputFiles[0].text];
  }
}
