// Fences marked `html live` are examples of embedding: the text stands there as it is to be copied,
// and below it the same text is alive in the page. Alive means: of this site instead of
// https://your.host, with the recorded transcript of its lesson; a frame of the site itself needs
// no sandbox, and on a host that sends no CORS headers could not load anything inside one.
import { readFileSync } from 'node:fs';
import { escaped } from './texts.mjs';

const HOST = /https:\/\/your\.host\//g;

function alive(text, { lessons, build }) {
  const lesson = /\blesson="?=?([\w-]+)/.exec(text)[1];
  const { transcript } = lessons[lesson];
  const recorded = `<pre slot="transcript" lang="en" translate="no" data-transcript="${lesson}"` +
    ` data-build="${build.id}">${escaped(transcript)}</pre>`;
  // Markdown ends a block of markup at an empty line; there is none in a node of its own.
  const here = text
    .replace(HOST, process.env.HOTKV_SITE_BASE)
    .replace(/<pre slot="transcript">[\s\S]*?<\/pre>/, () => recorded)
    .replace(/\s+sandbox="[^"]*"/, '');
  return `<div class="live not-content">${here}</div>`;
}

export function liveBlocks() {
  const data = JSON.parse(readFileSync(process.env.HOTKV_SITE_DATA, 'utf8'));
  return (tree) => {
    tree.children = tree.children.flatMap((node) => {
      if (node.type !== 'code' || node.meta !== 'live') return [node];
      return [node, { type: 'html', value: alive(node.value, data) }];
    });
  };
}
