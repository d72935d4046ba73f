// The page for frames: one player and nothing else. Recorded transcripts of all lessons lie in it
// as templates, so that a frame whose engine is blocked still shows one; without script they are
// shown.
import { html } from '../src/lib/texts.mjs';

/** recorded: [{id, title, transcript}]; texts: of English, the language of a page without query. */
export function embedPage(texts, recorded, build) {
  const pre = ({ id, transcript }) => html`<pre
    slot="transcript" lang="en" translate="no"
   data-transcript="${id}" data-build="${build.id}">${transcript}</pre>`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${texts.plain('embed.title')}</title>
    <link rel="icon" href="favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="embed.css" />
    <script type="module" src="embed.js"></script>
  </head>
  <body>
    <main>
      <h1>${texts.plain('embed.title')}</h1>
      ${recorded.map((one) => html`<template data-lesson="${one.id}">${pre(one)}</template>`)}
      <noscript>
        <p>${texts.plain('ui.transcript.recorded', { build: build.id })}.</p>
        ${recorded.map((one) => html`<h2>${one.title}</h2>${pre(one)}`)}
      </noscript>
    </main>
  </body>
</html>
`;
}
