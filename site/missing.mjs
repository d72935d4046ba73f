// The page of an address that does not exist.
import { html } from './texts.mjs';

export function missingPage(texts, home) {
  return html`<div class="hero">
    <h1>${texts.plain('missing.title')}</h1>
    <p class="tagline">${texts.plain('missing.text')}</p>
    <p><a class="go" href="${home}">${texts.plain('missing.home')}</a></p>
  </div>`;
}
