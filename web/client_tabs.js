// The programs of a step as tabs, one for each client. In the page they are <pre> with the name of
// their client, all but the first hidden, so that without script the first is there; which one is
// shown is one choice for the whole page (client_choice.js).
import { clientChoice } from './client_choice.js';
import { h } from './dom.js';

const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** box: the programs; its data-label, data-copy and data-copied are the words of the tabs. */
export function makeTabs(box) {
  const panels = [...box.querySelectorAll('pre')];
  const tabs = panels.map((panel) => tabOf(panel));
  const said = h('p.note', { role: 'status' });
  const copy = h('button.copy', { type: 'button' }, box.dataset.copy);
  box.prepend(h('div.tab-row', {},
    h('div.tabs', { role: 'tablist', 'aria-label': box.dataset.label }, tabs), copy));
  box.append(said);

  const shown = () => {
    return Math.max(0, panels.findIndex((panel) => panel.dataset.client === clientChoice.id));
  };
  const show = () => {
    const chosen = shown();
    tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
      panels[i].hidden = i !== chosen;
    });
    said.textContent = '';
  };
  const choose = (i) => keepingPlace(box, () => clientChoice.choose(panels[i].dataset.client));
  tabs.forEach((tab, i) => {
    tab.addEventListener('click', () => choose(i));
    tab.addEventListener('keydown', (event) => {
      const move = MOVES[event.key];
      if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const next = nextOf(i, move, tabs.length);
      choose(next);
      tabs[next].focus({ preventScroll: true });
    });
  });
  copy.addEventListener('click', async () => {
    said.textContent = await copied(panels[shown()]) ? box.dataset.copied : '';
  });
  clientChoice.addEventListener('change', show);
  show();
}

function tabOf(panel) {
  const tab = h('button', {
    type: 'button', role: 'tab', id: `${panel.id}-tab`, 'aria-controls': panel.id, lang: 'en',
    translate: 'no',
  }, panel.dataset.name);
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  return tab;
}

/** One on or back, around the ends; Home and End go to them. */
function nextOf(i, move, count) {
  if (Math.abs(move) === Infinity) return move > 0 ? count - 1 : 0;
  return (i + move + count) % count;
}

/** The programs of other steps become longer or shorter: this one stays under the pointer. */
function keepingPlace(box, change) {
  // The browser keeps the place of what is first in sight, which is another one's.
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  const { top } = box.getBoundingClientRect();
  change();
  scrollBy({ top: box.getBoundingClientRect().top - top, behavior: 'instant' });
  requestAnimationFrame(() => {
    style.overflowAnchor = '';
  });
}

/** True when the clipboard has it; where it is not allowed, it is selected for the visitor. */
async function copied(panel) {
  try {
    await navigator.clipboard.writeText(panel.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(panel);
    return false;
  }
}
