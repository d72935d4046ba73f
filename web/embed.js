// The page of an embedded player: the query says what the attributes of the element would say, and
// the page that holds the frame may drive it through a port of its own.
//
// Handshake: the frame says {hotkv: 1, type: 'listening'} to its parent when it can hear; it
// sends {hotkv: 1, type: 'hello', id}; the answer {hotkv: 1, type: 'welcome', id} goes to the
// sender alone and carries a MessagePort. From there on nobody guesses origins:
//   to the frame    {type: 'call', id, method, args}
//   to the parent   {type: 'result', id, value} or {type: 'result', id, error}, and
//                   {type: 'event', name, detail}
// What is not understood is ignored.
import { ATTRIBUTES, EVENTS, WORDS } from './hotkv-player.js';

const METHODS = [
  'play', 'pause', 'stepBy', 'seek', 'exec', 'act', 'state', 'semantics', 'hash', 'stats', 'trace',
  'transcript', 'link', 'dispose',
];
const LANGUAGES = { en: 'en', ro: 'ro', zh: 'zh-CN' };

function made(query) {
  const player = document.createElement('hotkv-player');
  for (const name of ATTRIBUTES) {
    if (query.has(name)) player.setAttribute(name, query.get(name));
  }
  if (!query.has('lesson')) player.setAttribute('lesson', 'lock');
  if (!query.has('loading')) player.setAttribute('loading', 'lazy');
  const lang = (query.get('lang') ?? 'en').slice(0, 2);
  document.documentElement.lang = LANGUAGES[lang] ?? 'en';
  document.title = (WORDS[lang] ?? WORDS.en).title;
  document.querySelector('h1').textContent = document.title;
  player.dataset.embed = '';
  const recorded = document.querySelector(`template[data-lesson="${CSS.escape(player.lesson)}"]`);
  if (recorded) player.append(recorded.content.cloneNode(true));
  return player;
}

function answerCalls(player, port) {
  for (const name of EVENTS) {
    player.addEventListener(name, ({ detail }) => {
      port.postMessage({ type: 'event', name, detail: plain(detail) });
    });
  }
  port.onmessage = async ({ data }) => {
    if (data?.type !== 'call' || !METHODS.includes(data.method)) return;
    const { id, method, args } = data;
    try {
      const value = await player[method](...(Array.isArray(args) ? args : []));
      port.postMessage({ type: 'result', id, value: plain(value) });
    } catch (error) {
      port.postMessage({ type: 'result', id, error: String(error.message ?? error) });
    }
  };
}

/** What can be sent; undefined becomes null. */
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));

// As SPEC has it: `params=ttl:5`; a `+` stands for a blank in what a client typed.
const player = made(new URLSearchParams(location.search.replace(/\+/g, '%2B')));
document.querySelector('main').append(player);

addEventListener('message', (event) => {
  const { data, source, origin } = event;
  if (source !== parent || data?.hotkv !== 1 || data.type !== 'hello') return;
  const { port1, port2 } = new MessageChannel();
  answerCalls(player, port1);
  const targetOrigin = origin === 'null' ? '*' : origin;
  source.postMessage({ hotkv: 1, type: 'welcome', id: data.id }, targetOrigin, [port2]);
});
if (parent !== window) parent.postMessage({ hotkv: 1, type: 'listening' }, '*');
