// The frame of every page: head, navigation, languages, theme, footer. All addresses are relative,
// so the site works below any path. Nothing is inline that a content security policy would refuse.
import { Html, html } from './texts.mjs';

// The same policy that hotkv-server sends, for hosts that send none.
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
  <path
    d="M17 2c1 6-7 8.5-7 16.5a6 6 0 0 0 2.5 4.5c0-3.5 1.5-5.5 3.5-7.5 1 3 4 4.5 4 8 0 1-.5 2-1
      2.5a8 8 0 0 0 5-7.5c0-7-6-9-7-16.5z"
  />
  <path class="mark-base" d="M8.5 28h15" />
</svg>`;

/** `up` is the way from this page to the root of the site: '' or '../'. */
function languageLinks(page, all, up) {
  return html`<ul class="languages">
    ${all.map((texts) => {
      const here = texts.lang === page.texts.lang;
      return html`<li>
        <a
          href="${up}${texts.path}${page.file || './'}"
          hreflang="${texts.lang}"
          lang="${texts.lang}"
          ${here ? new Html('aria-current="true"') : ''}
          >${texts.plain('meta.name')}</a
        >
      </li>`;
    })}
  </ul>`;
}

function alternates(page, all, up) {
  const links = all.map(
    (texts) =>
      html`<link
        rel="alternate"
        hreflang="${texts.lang}"
        href="${up}${texts.path}${page.file || './'}"
      />`,
  );
  const english = html`<link
    rel="alternate"
    hreflang="x-default"
    href="${up}${page.file || './'}"
  />`;
  return [...links, english];
}

function header(page, all, up) {
  const { texts } = page;
  const here = (file) => (page.file === file ? new Html('aria-current="page"') : '');
  const home = page.root ? page.root + texts.path : './';
  const reference = page.root ? `${home}reference.html` : 'reference.html';
  return html`<header class="site">
    <a class="wordmark" href="${home}" translate="no">${MARK}<span>HotKV</span></a>
    <nav aria-label="${texts.plain('site.nav')}">
      <a href="${home}" ${here('')}>${texts.plain('site.locks')}</a>
      <a href="${reference}" ${here('reference.html')}>${texts.plain('site.reference')}</a>
    </nav>
    <nav class="choose-language" aria-label="${texts.plain('site.language')}">
      ${languageLinks(page, all, up)}
    </nav>
    <button
      type="button"
      class="theme"
      data-part="theme"
      data-auto="${texts.plain('site.theme.auto')}"
      data-light="${texts.plain('site.theme.light')}"
      data-dark="${texts.plain('site.theme.dark')}"
      hidden
    >
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="12" cy="12" r="7.5" fill="none" stroke="currentColor" stroke-width="2" />
        <path d="M12 4.5a7.5 7.5 0 0 1 0 15z" />
      </svg>
      <span class="visually-hidden">${texts.plain('site.theme.auto')}</span>
    </button>
  </header>`;
}

/**
 * The whole document. page: {texts, file, title, description, main, styles, scripts, index, root};
 * `root` overrides the relative way up, for the page of a missing address, which is shown at
 * any depth.
 */
export function framed(page, all, build) {
  const { texts } = page;
  const up = page.root ?? (texts.path ? '../' : '');
  return html`<!doctype html>
<html lang="${texts.lang}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>${page.title}</title>
    <meta name="description" content="${page.description}" />
    <link rel="icon" href="${up}favicon.svg" type="image/svg+xml" />
    ${page.styles.map((style) => html`<link rel="stylesheet" href="${up}${style}" />`)}
    ${page.index === false
      ? html`<meta name="robots" content="noindex" />`
      : alternates(page, all, up)}
    <script src="${up}theme.js"></script>
    ${(page.scripts ?? []).map(
      (script) => html`<script type="module" src="${up}${script}"></script>`,
    )}
  </head>
  <body>
    <a class="skip" href="#main">${texts.plain('site.skip')}</a>
    ${header(page, all, up)}
    <main id="main" tabindex="-1">${page.main}</main>
    <footer class="site">
      <p>${texts.plain('site.footer')}</p>
      <p>
        <span lang="en" translate="no">hotkv ${build.version}</span> ·
        ${texts.plain('site.build', { build: build.id })}
      </p>
    </footer>
  </body>
</html>
`;
}
