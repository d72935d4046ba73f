// The steps in a page's prose and those of its player are one list: a step that the prose names is
// shown in the player, and the step that the player tells is marked in the prose. Only a link that
// says so takes visitors to the player; nothing else on the page scrolls.
import { toldStep } from './told_step.js';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** player: the element; links: those of the prose, with `data-seek` or, to go there, `data-go`. */
export function joinSteps(player, links) {
  const titles = links.filter((link) => link.dataset.seek !== undefined);
  const mark = () => {
    const told = String(toldStep(player.state()));
    for (const link of titles) {
      if (link.dataset.seek === told) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
    }
  };
  player.addEventListener('statechange', mark);
  player.addEventListener('ready', mark);
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (!player.seek) return;
      event.preventDefault();
      if (link.dataset.go === undefined) player.seek({ step: Number(link.dataset.seek) });
      else showStep(player, Number(link.dataset.go));
    });
  }
}

async function showStep(player, step) {
  await player.seek({ step });
  player.scrollIntoView({ behavior: calm.matches ? 'auto' : 'smooth' });
  player.shadowRoot.querySelector(`[data-step="${step}"]`).focus({ preventScroll: true });
}
