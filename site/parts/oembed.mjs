// oEmbed: what a site that is given the address of a lesson needs to show its player, one file per
// lesson and language (https://oembed.com, type `rich`).
import * as fs from 'node:fs';
import * as path from 'node:path';
import { LANGUAGES } from '../src/lib/texts.mjs';

const WIDTH = 960;
const HEIGHT = 640;

export const oembedName = (lesson, language) => `oembed/${lesson}.${language}.json`;

export function* oembedFiles({ lessons, build }, options, root) {
  for (const language of LANGUAGES) {
    const table = JSON.parse(
      fs.readFileSync(path.join(root, `assets/i18n/${language}.json`), 'utf8'));
    for (const { id } of Object.values(lessons)) {
      const title = table[`lesson.${id}.title`];
      const place = `${options.origin}${options.base}`;
      const query = `lesson=${id}&amp;lang=${table['meta.lang']}`;
      yield [oembedName(id, language), `${JSON.stringify({
        version: '1.0',
        type: 'rich',
        title: `HotKV: ${title}`,
        provider_name: 'HotKV',
        provider_url: place,
        hotkv_build: build.id,
        width: WIDTH,
        height: HEIGHT,
        html: `<iframe src="${place}embed.html?${query}" width="${WIDTH}" height="${HEIGHT}" ` +
          'loading="lazy" sandbox="allow-scripts allow-popups" ' +
          `allow="clipboard-write; fullscreen" title="HotKV: ${title}"></iframe>`,
      }, null, 1)}\n`];
    }
  }
}
