// Small makers of elements. No text becomes markup here, so whatever comes from a link, a lesson or
// an engine stays text; and nothing needs more than `script-src 'self'`.

export const part = (root, name) => root.querySelector(`[data-part="${name}"]`);

/** element('p', {className}, child, ...): children are elements or text. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Text as a client types and reads it: English in every language of the page. */
export function wire(name, className, text) {
  const made = element(name, { className, lang: 'en', translate: false });
  made.textContent = text;
  return made;
}

/**
 * h('button.quiet', {'data-act': 'play', disabled: true}, child, ...): attributes as markup has
 * them; false, null and undefined leave the attribute and the child out.
 */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== false && child != null));
  return made;
}

const ICONS = {
  play: 'M8 5.5v13l11-6.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  start: 'M6 5h2.5v14H6zM19 5.5v13L9.5 12z',
  back: 'M15.5 5.5v13L6 12z',
  step: 'M8.5 5.5v13L18 12z',
  end: 'M15.5 5H18v14h-2.5zM5 5.5v13l9.5-6.5z',
  more: 'M6 10.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zm6 0a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 '
    + '0-3.6zm6 0a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
  pen: 'M4 16.5V20h3.5L18 9.5 14.5 6zM20.4 7.1a1 1 0 0 0 0-1.4l-2.1-2.1a1 1 0 0 0-1.4 0L15.3 5.2 '
    + '18.8 8.7z',
  close: 'M7 5.6 12 10.6l5-5L18.4 7l-5 5 5 5-1.4 1.4-5-5-5 5L5.6 17l5-5-5-5z',
};

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name) {
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('class', 'icon');
  made.setAttribute('viewBox', '0 0 24 24');
  made.setAttribute('aria-hidden', 'true');
  made.setAttribute('focusable', 'false');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  made.append(path);
  return made;
}
