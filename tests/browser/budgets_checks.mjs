// What the page may cost: sizes after brotli.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { SITE, check, shipped, test } from './harness.mjs';

const WASM_BR_MAX = 200 * 1024;
const PAGE_BR_MAX = 95 * 1024;
const FACADE_BR_MAX = 8 * 1024;

test('shipped: small enough', () => {
  const size = (file) => brotliCompressSync(fs.readFileSync(file)).length;
  const wasm = size(path.join(SITE, 'hotkv-core.wasm'));
  check(wasm <= WASM_BR_MAX, `hotkv-core.wasm has ${wasm} bytes brotli; at most ${WASM_BR_MAX}`);
  const facade = size(path.join(SITE, 'hotkv-player.js'));
  check(facade <= FACADE_BR_MAX, `the facade has ${facade} bytes brotli; at most ${FACADE_BR_MAX}`);
  const own = [...shipped('.js'), ...shipped('.css')].reduce((sum, file) => sum + size(file), 0);
  const page = own + size(path.join(SITE, 'lessons/lock.scenario'))
    + size(path.join(SITE, 'i18n/zh.json'));
  check(page <= PAGE_BR_MAX, `scripts, styles, lesson, texts: ${page}; at most ${PAGE_BR_MAX}`);
  console.log(`        brotli: hotkv-core.wasm ${wasm}, facade ${facade}, all else ${page} bytes`);
});
