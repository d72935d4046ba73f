// The page: joins the session's parts. What it can do is the player's own interface and no more, so
// whatever a visitor reaches here, a script reaches through the element's property `player`.
import { ConsoleLine } from './console_line.js';
import { HotkvPlayer } from './hotkv-player.js';
import { bindKeys } from './keys.js';
import { stateOf } from './link.js';
import { ParamForm } from './param_form.js';
import { SessionView, element, part } from './session_view.js';
import { PageTexts } from './texts.js';
import { TranscriptView } from './transcript_view.js';

const root = document.getElementById('session');
const texts = PageTexts.of(document);
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const player = new HotkvPlayer({
  lessonUrl: new URL(`lessons/${root.dataset.lesson}.scenario`, import.meta.url),
  moduleUrl: new URL('hotkv-core.js', import.meta.url),
  motion: calm.matches ? 'reduce' : 'auto',
});
root.player = player;
calm.addEventListener('change', () => {
  player.motion = calm.matches ? 'reduce' : 'auto';
});

const view = new SessionView(root, texts, player);
const transcript = new TranscriptView(root, texts, player);
const params = new ParamForm(root, texts, player, guarded);
const consoleLine = new ConsoleLine(root, texts, player, typeLine);
const help = part(root, 'help');

/** Runs an action of the visitor; what it refuses is said, not swallowed. */
async function guarded(action) {
  try {
    await action();
  } catch (error) {
    banner(String(error.message ?? error), 'refused');
  }
}

function say(text) {
  part(root, 'status').textContent = text;
}

function banner(text, kind = 'note') {
  const box = part(root, 'banner');
  box.dataset.kind = kind;
  box.textContent = text;
  box.hidden = text === '';
}

async function typeLine(client, line) {
  await guarded(async () => {
    const node = player.lesson.nodes[0].id;
    const reply = await player.exec(client, node, line);
    const name = player.lesson.clients.find((one) => one.id === client).name;
    say(reply.text === null ? texts.text('ui.console.no_reply', { client: name }) : reply.text);
  });
}

async function copied(text, key) {
  await guarded(async () => {
    await navigator.clipboard.writeText(text);
    say(texts.text(key));
    banner(texts.text(key));
  });
}

function tried(id) {
  return guarded(async () => {
    await player.act(id);
    player.play();
  });
}

const actions = {
  play: () => (player.status === 'playing' ? player.pause() : player.play()),
  start: () => player.seek({ step: 0 }),
  end: () => player.seek({ end: true }),
  back: () => player.stepBy(-1),
  step: () => player.stepBy(1),
  eventBack: () => player.eventBy(-1),
  eventStep: () => player.eventBy(1),
  lesson: () => player.act('', 'lesson'),
  roll: () => player.act('', 'seed', { value: 1 + Math.floor(Math.random() * 999999) }),
  copy: () => copied(transcript.text(), 'ui.transcript.copied'),
  link: () => copied(new URL(player.link(), location.href).href, 'ui.link.copied'),
  help: () => help.showModal(),
  'close-help': () => help.close(),
  send: () => {},
  slower: () => setSpeed(-1),
  faster: () => setSpeed(1),
};

function setSpeed(direction) {
  const select = part(root, 'speed');
  const at = Math.min(select.options.length - 1, Math.max(0, select.selectedIndex + direction));
  select.selectedIndex = at;
  player.speed = select.value;
}

root.addEventListener('click', (event) => {
  const step = event.target.closest('[data-step]');
  if (step) guarded(() => player.seek({ step: Number(step.dataset.step) }));
  const attempt = event.target.closest('[data-try]');
  if (attempt) tried(attempt.dataset.try);
  const act = event.target.closest('[data-act]');
  if (act && act.getAttribute('aria-disabled') !== 'true') guarded(actions[act.dataset.act]);
});

for (const link of document.querySelectorAll('[data-go]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    guarded(() => player.seek({ step: Number(link.dataset.go) }));
    // The visitor asked to be taken there; nothing else on this page scrolls.
    root.scrollIntoView({ behavior: calm.matches ? 'auto' : 'smooth' });
    root.querySelector(`[data-step="${link.dataset.go}"]`).focus({ preventScroll: true });
  });
}

function bindSettings() {
  part(root, 'speed').addEventListener('change', (event) => {
    player.speed = event.target.value;
  });
  part(root, 'seed').addEventListener('change', (event) => {
    const seed = event.target.value.trim();
    const valid = /^\d{1,19}$/.test(seed);
    event.target.setAttribute('aria-invalid', String(!valid));
    if (valid) guarded(() => player.act('', 'seed', { value: seed }));
  });
  part(root, 'timeline').addEventListener('input', (event) => {
    guarded(() => player.seek({ event: Number(event.target.value) }));
  });
}

function showTries() {
  const { id, tries } = player.lesson;
  part(root, 'tries').replaceChildren(
    ...tries.map((one) => {
      const key = `lesson.${id}.try.${one.id}`;
      const button = element(
        'button',
        { type: 'button' },
        element('span', { className: 'try-title' }, texts.text(`${key}.title`)),
        element('span', { className: 'try-text' }, texts.text(`${key}.text`)),
      );
      button.dataset.try = one.id;
      return element('li', {}, button);
    }),
  );
}

/** The address follows the session; many changes in a row are one entry. */
let pendingLink = 0;
function followLink() {
  clearTimeout(pendingLink);
  pendingLink = setTimeout(() => {
    const state = player.state();
    const untouched = state.event === 0 && !state.branch;
    const link = untouched ? location.pathname + location.search : player.link();
    if (location.hash !== (untouched ? '' : link)) history.replaceState(null, '', link);
  }, 250);
}

function restoreFromLink() {
  const state = stateOf(location.hash);
  if (!state || state.lesson !== player.lesson.id) return Promise.resolve();
  if (state.version !== undefined && state.version !== player.lesson.version) {
    banner(texts.text('ui.error.link'));
    return Promise.resolve();
  }
  return guarded(async () => {
    await player.restore(state);
    if (state.inputs.length > 0) banner(texts.text('ui.shared', { n: state.inputs.length }));
  });
}

function show() {
  if (!player.lesson) return;
  const state = player.state();
  view.show(state);
  transcript.show(state);
  params.show(state);
  part(root, 'seed').value = state.seed;
  followLink();
}

player.addEventListener('statechange', (event) => {
  // A fault of the engine stays; other words were about the state that has just gone.
  if (event.detail.event !== undefined && part(root, 'banner').dataset.kind !== 'fault') banner('');
  show();
});
player.addEventListener('stepchange', ({ detail }) => {
  if (detail.step === 0) return;
  const reply = player.transcript().at(-1)?.text ?? '';
  const title = view.stepTitle(detail.step);
  const total = player.lesson.steps.length;
  say(texts.text('ui.status.step', { n: detail.step, total, title, reply }));
});
player.addEventListener('branch', ({ detail }) => {
  say(texts.text(detail.branch ? 'ui.status.branch' : 'ui.status.lesson'));
});
player.addEventListener('error', ({ detail }) => {
  if (detail.kind === 'determinism') {
    banner(`${texts.text('ui.error.determinism')}\n${detail.message}`, 'fault');
  }
});

function startSession() {
  part(root, 'recorded').remove();
  transcript.start();
  consoleLine.start();
  params.start();
  showTries();
  const waiting = '.bar :disabled, .timeline :disabled, .seed :disabled';
  for (const control of root.querySelectorAll(waiting)) {
    control.disabled = false;
  }
  for (const act of ['copy', 'send']) root.querySelector(`[data-act="${act}"]`).disabled = false;
  bindSettings();
  bindKeys(root, actions, (n) => player.seek({ step: n }), () => player.lesson.steps.length);
}

function showRecorded() {
  const { build } = root.dataset;
  root.dataset.status = 'recorded';
  part(root, 'label').textContent = texts.text('ui.session.recorded', { build });
  part(root, 'no-engine').hidden = false;
}

player.ready.then(
  async () => {
    startSession();
    await restoreFromLink();
    show();
    addEventListener('hashchange', restoreFromLink);
  },
  showRecorded,
);
