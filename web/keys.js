// The keys of a session: they work only while the focus is inside it and not in a field, and single
// keys can be turned off in the list that `?` opens (WCAG 2.1.4).
import { part } from './dom.js';

const KEYS = {
  ' ': 'play',
  '.': 'eventStep',
  ',': 'eventBack',
  ']': 'step',
  '[': 'back',
  ArrowRight: 'step',
  ArrowLeft: 'back',
  Home: 'start',
  End: 'end',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
  k: 'kill',
  x: 'cut',
  d: 'drop',
  t: 'tabs',
  i: 'inspect',
  b: 'lesson',
  c: 'link',
  '?': 'help',
};

const FIELDS = 'input:not([type=range]), select, textarea, dialog';

/** Keys that a button, a slider or a menu itself understands, or that scroll the log. */
function ownKey(event) {
  if (event.target.closest('[role=menu], [role=tablist]')) return true;
  if (event.target.type === 'range') return /^(Home|End|Arrow|\+|-)/.test(event.key);
  if (event.key === ' ') return event.target.closest('button, summary, a') !== null;
  return /^(Home|End)$/.test(event.key) && event.target.getAttribute('role') === 'log';
}

/** run(name): carries an action out. */
export function bindKeys(root, run, seekStep, stepCount) {
  const singleKeys = part(root, 'single-keys');
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target.closest(FIELDS)) {
      if (event.key === 'Escape' && !event.defaultPrevented) leaveField(root, event);
      return;
    }
    if (!singleKeys.checked && event.key.length === 1) return;
    if (ownKey(event)) return;
    if (event.key === '/') part(root, 'line').focus({ preventScroll: true });
    else if (/^[1-9]$/.test(event.key)) {
      if (Number(event.key) > stepCount()) return;
      seekStep(Number(event.key));
    } else if (KEYS[event.key]) run(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
}

function leaveField(root, event) {
  if (event.target.closest('dialog')) return;
  root.querySelector('[data-act="play"]').focus({ preventScroll: true });
}
