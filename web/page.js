// The page around a player: a step that the prose names is shown in the player, and the page goes
// there. The visitor asked to be taken; nothing else on the page scrolls.
const calm = matchMedia('(prefers-reduced-motion: reduce)');

for (const link of document.querySelectorAll('[data-go]')) {
  link.addEventListener('click', async (event) => {
    const player = document.querySelector('hotkv-player');
    if (!player?.seek) return;
    event.preventDefault();
    const step = Number(link.dataset.go);
    await player.seek({ step });
    player.scrollIntoView({ behavior: calm.matches ? 'auto' : 'smooth' });
    player.shadowRoot.querySelector(`[data-step="${step}"]`).focus({ preventScroll: true });
  });
}
