// A folder that a build fills: unchanged files keep their time, compressed copies lie beside their
// originals, what an earlier build left is taken away.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { constants, brotliCompressSync } from 'node:zlib';

const COMPRESSED = /\.(html|css|js|svg|json|xml|txt|scenario|wasm|otf|ttf)$/;
const COMPRESS_MIN_BYTES = 256;

export class Folder {
  constructor(place) {
    this.place = place;
    this.kept = new Set();
  }

  write(name, content) {
    const bytes = Buffer.from(content);
    const unchanged = this.put(name, bytes);
    if (!COMPRESSED.test(name) || bytes.length < COMPRESS_MIN_BYTES) return;
    const packed = path.join(this.place, `${name}.br`);
    this.kept.add(`${name}.br`);
    // The packed copy is as old as its original: unchanged content is not packed again.
    if (unchanged && fs.existsSync(packed)) return;
    fs.writeFileSync(packed, brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }));
  }

  /** Writes the bytes alone; true if they were there already. */
  put(name, bytes) {
    const full = path.join(this.place, name);
    this.kept.add(name);
    if (fs.existsSync(full) && fs.readFileSync(full).equals(bytes)) return true;
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, bytes);
    return false;
  }

  copy(name, from) {
    this.write(name, fs.readFileSync(from));
  }

  sweep() {
    for (const entry of fs.readdirSync(this.place, { recursive: true, withFileTypes: true })) {
      const full = path.join(entry.parentPath ?? entry.path, entry.name);
      if (entry.isFile() && !this.kept.has(path.relative(this.place, full))) fs.rmSync(full);
    }
  }
}
