// Fences marked `hotkv` hold commands, one a line; the page shows them with the replies that the
// engine gave when the site was built. Other fences are shown as they are. Both become our own
// <pre>: the words in them are not for translation.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escaped } from './texts.mjs';

/** The transcript of these commands, typed one after the other into a fresh node. */
export function transcriptOf(root, commands) {
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-site-'));
  const file = join(folder, 'session.scenario');
  const steps = commands.map((line, i) => `step s${i + 1} A> ${line} until reply A`);
  const head = ['lesson session version 1 seed 1', 'world node n1 clients A "A"', 'link A-n1 1ms'];
  writeFileSync(file, [...head, ...steps, ''].join('\n'));
  try {
    const printed = execFileSync(
      join(root, 'build/release/hotkv-sim'), ['--scenario', file, '--transcript'],
      { encoding: 'utf8' });
    return withoutTitles(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The lines of the session alone: no actors, no titles of steps. */
export function withoutTitles(transcript) {
  return transcript
    .split('\n')
    .filter((line) => line && !line.startsWith('# '))
    .join('\n');
}

function walk(node, visit) {
  visit(node);
  for (const child of node.children ?? []) walk(child, visit);
}

export function sessionBlocks() {
  const { root } = JSON.parse(readFileSync(process.env.HOTKV_SITE_DATA, 'utf8'));
  return (tree) => walk(tree, (node) => {
    if (node.type !== 'code') return;
    const isSession = node.lang === 'hotkv';
    const text = isSession ? transcriptOf(root, node.value.split('\n')) : node.value;
    const mark = isSession ? ' data-transcript="session"' : '';
    node.type = 'html';
    node.value = `<pre class="block"${mark} lang="en" translate="no" tabindex="0">` +
      `${escaped(text)}</pre>`;
  });
}
