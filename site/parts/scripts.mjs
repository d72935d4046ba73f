// The scripts and styles of web/ as they are shipped: parts that are always loaded together are one
// file, without comments and spaces. Their sources stay modules that a browser could load as they
// stand.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build, transform } from 'esbuild';

// What pages name; everything else is loaded by these.
const FACADE = 'hotkv-player.js';
const MODULES = [FACADE, 'embed.js', 'page.js'];
const CLASSIC = ['theme.js'];
// What every browser with WebAssembly, custom elements and import() can read.
const TARGET = 'es2022';

const SHORT = { minify: true, target: TARGET, charset: 'utf8', legalComments: 'none' };

/** One module with what it imports; what it imports later is a file of its own. */
async function bundled(web, name) {
  const { outputFiles } = await build({
    ...SHORT,
    entryPoints: [path.join(web, name)],
    outdir: web,
    bundle: true,
    splitting: true,
    format: 'esm',
    // The facade is one request, also where another script names it.
    external: name === FACADE ? [] : [`./${FACADE}`],
    // Beside the entries, because modules find the engine and the styles from where they are. A
    // digit before the hash: such a name never changes its content.
    chunkNames: '[name].0[hash]',
    write: false,
  });
  return outputFiles.map((file) => [path.basename(file.path), file.text]);
}

/** Yields [name, content] of each file. */
export async function* shippedScripts(web) {
  for (const name of MODULES) yield* await bundled(web, name);
  const styles = fs.readdirSync(web).filter((name) => name.endsWith('.css'));
  for (const name of [...CLASSIC, ...styles]) {
    const loader = path.extname(name).slice(1);
    const source = fs.readFileSync(path.join(web, name), 'utf8');
    const { code } = await transform(source, { ...SHORT, loader });
    yield [name, code];
  }
}
