// Of a page and the frames it holds at most one session plays. The players of a page know of each
// other here; frames and their page tell each other, in one message that says nothing else:
//   {hotkv: 1, type: 'playing'}    to the page of this frame, and to the frames of this page
// Whoever hears it pauses and passes it on. A page without a player of its own passes nothing on.
const PLAYING = { hotkv: 1, type: 'playing' };

let playing = null;

/** The windows that are told, and heard: the page around this one, the frames in it. */
function others() {
  const frames = [...document.querySelectorAll('iframe')].map((one) => one.contentWindow);
  return [...(parent === window ? [] : [parent]), ...frames.filter(Boolean)];
}

/** The origin of another window is not known, and there is no secret in the message. */
function tell(windows) {
  for (const one of windows) one.postMessage(PLAYING, '*');
}

addEventListener('message', ({ data, source }) => {
  if (data?.hotkv !== 1 || data.type !== PLAYING.type || !others().includes(source)) return;
  playing?.pause();
  tell(others().filter((one) => one !== source));
});

export const onePlaying = {
  /** Whether a session of this page plays. */
  get any() {
    return playing !== null;
  },

  /** This player plays, or does not any more. */
  told(player, plays) {
    if (!plays) {
      if (playing === player) playing = null;
      return;
    }
    if (playing === player) return;
    playing?.pause();
    playing = player;
    tell(others());
  },
};
