// The elements of a player, empty: the other modules find them by `data-part` and `data-act` and
// fill them. Order is the order of reading: controls, stage, transcript, console, steps, changes.
import { h, icon } from './dom.js';
import { factTableFrame } from './fact_table.js';
import { inspectorFrame } from './inspector.js';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

const KEYS = [
  ['Space', 'play'],
  [', .', 'event'],
  ['[ ] ← →', 'step'],
  ['Home End', 'ends'],
  ['1 – 9', 'number'],
  ['- +', 'speed'],
  ['t', 'tabs'],
  ['i', 'inspect'],
  ['/', 'console'],
  ['k', 'kill'],
  ['x', 'cut'],
  ['d', 'drop'],
  ['b', 'lesson'],
  ['c', 'copy'],
  ['?', 'help'],
  ['Esc', 'leave'],
];

const hidden = (text) => h('span.visually-hidden', {}, text);
const english = { lang: 'en', translate: 'no' };

function iconButton(t, act, key) {
  return h('button.quiet', { type: 'button', 'data-act': act, title: t(key), disabled: true },
    icon(act), hidden(t(key)));
}

function bar(t) {
  const speeds = SPEEDS.map((n) =>
    h('option', { value: n, selected: n === 1 }, t('ui.speed.value', { n: String(n) })));
  const button = (act, key) =>
    h('button.quiet', { type: 'button', 'data-act': act, disabled: true }, t(key));
  return h('div.bar', { role: 'group', 'aria-label': t('ui.controls') },
    h('button.primary', { type: 'button', 'data-act': 'play', disabled: true },
      h('span.when-paused', {}, icon('play')), h('span.when-playing', {}, icon('pause')),
      h('span', { 'data-part': 'play-name' }, t('ui.play'))),
    h('div.transport', {},
      ['start', 'back', 'step', 'end'].map((act) => iconButton(t, act, `ui.${act}`))),
    h('p.session-label', { 'data-part': 'label' }, t('ui.session.loading')),
    h('div.settings', {},
      h('label.field.inline', {}, h('span', {}, t('ui.speed')),
        h('select', { 'data-part': 'speed', disabled: true }, speeds)),
      button('share', 'ui.share'), button('help', 'ui.help')));
}

function lanes(t) {
  return h('div.lanes-bar', { 'data-part': 'branch', hidden: true },
    h('div.lane-list', { role: 'group', 'aria-label': t('ui.lanes'), 'data-part': 'lane-list' }),
    h('p.lane-note', { 'data-part': 'branch-note' }),
    h('button.quiet', { type: 'button', 'data-act': 'lesson' }, t('ui.branch.back')),
    h('details.difference', { 'data-part': 'difference' },
      h('summary', {}, t('ui.difference')),
      h('div', { 'data-part': 'difference-list', role: 'status' })));
}

function screen(t) {
  const tab = (name, selected) => h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, 'data-tab': name,
    'aria-selected': String(selected), 'aria-controls': 'stage', tabindex: selected ? 0 : -1,
  }, t(`ui.tab.${name}`));
  return h('div.screen', {},
    h('div.tabs', {
      role: 'tablist', 'aria-label': t('ui.tabs'), 'data-part': 'tabs',
    },
      tab('stage', true), tab('sequence', false)),
    h('div.world.panel-stage', { id: 'stage', 'data-part': 'world' },
      h('div.drawn', { 'data-part': 'drawn' },
        h('canvas', {
          'data-part': 'canvas', role: 'img', 'aria-labelledby': 'sum', tabindex: -1,
        }),
        h('div.mirror', { 'data-part': 'mirror', role: 'group', 'aria-label': t('ui.world') })),
      h('p.sum', { id: 'sum', 'data-part': 'sum' })),
    h('div.telling.panel-transcript', {}, transcript(t), consoleForm(t)));
}

function transcript(t) {
  return [
    h('div.transcript-head', {},
      h('h2', { id: 'transcript-title' }, t('ui.transcript')),
      h('div.lanes', {
        role: 'group', 'aria-label': t('ui.transcript.filter'), 'data-part': 'lanes',
      }),
      h('label.copy-as', { 'data-part': 'copy-as', hidden: true },
        hidden(t('ui.copy_as')), h('select', { 'data-part': 'copy-language', ...english })),
      h('button.quiet', { type: 'button', 'data-act': 'copy', disabled: true },
        t('ui.transcript.copy'))),
    h('div.log', {
      role: 'log', 'aria-live': 'off', 'aria-labelledby': 'transcript-title', tabindex: 0,
      'data-part': 'log',
    },
    h('div.recorded', { 'data-part': 'recorded' },
      h('p.note', { 'data-part': 'no-engine', hidden: true }),
      h('slot', { name: 'transcript' }))),
  ];
}

function consoleForm(t) {
  const label = (name, key) => h('label.client', { 'data-part': `${name}-label` },
    hidden(t(key)), h('select', { 'data-part': name, ...english, disabled: true }));
  return h('div.console.panel-console', {},
    h('div.prompt-line', {},
      label('client', 'ui.console.client'),
      h('span.to', { 'aria-hidden': 'true', 'data-part': 'to' }, '→'),
      label('node', 'ui.console.node'),
      h('span.prompt', { 'aria-hidden': 'true', translate: 'no' }, 'hotkv>'),
      h('span.typing', {},
        h('span.ghost', { 'data-part': 'ghost', 'aria-hidden': 'true', ...english }),
        h('input', {
          'data-part': 'line', ...english, 'aria-label': t('ui.console.input'),
          'aria-describedby': 'console-hint console-syntax', autocomplete: 'off',
          autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', enterkeyhint: 'send',
          disabled: true,
        })),
      h('button.quiet', { type: 'button', 'data-act': 'send', disabled: true },
        t('ui.console.send'))),
    h('p.search', { 'data-part': 'search', role: 'status', hidden: true }),
    h('p.choices', { 'data-part': 'choices', ...english, hidden: true }),
    h('pre.help-text', { 'data-part': 'help-text', ...english, tabindex: 0, hidden: true }),
    h('p.visually-hidden', { id: 'console-syntax', 'data-part': 'syntax', ...english }),
    h('p.hint', { id: 'console-hint' }, t('ui.console.hint'),
      h('button.text-button', { type: 'button', 'data-act': 'own-server', disabled: true },
        t('ui.console.own_server'))));
}

function story(t, steps, lesson) {
  const total = steps.length;
  const item = (id, i) => h('li', {},
    h('button', { type: 'button', 'data-step': i + 1, disabled: true },
      hidden(`${t('ui.steps.of', { n: i + 1, total })}: `),
      h('span.number', { 'aria-hidden': 'true' }, String(i + 1)),
      h('span.step-title', {}, t(`lesson.${lesson}.step.${id}.title`))));
  return h('div.story.panel-steps', {},
    h('div.card', { 'data-part': 'card' },
      h('p.card-count', { 'data-part': 'card-count', hidden: true }),
      h('h2.card-title', { 'data-part': 'card-title' }, t('ui.steps.start')),
      h('p', { 'data-part': 'card-text' }),
      h('p.why', { 'data-part': 'card-why', hidden: true })),
    h('ol.steps', { 'data-part': 'steps', 'aria-label': t('ui.steps') }, steps.map(item)),
    h('section.checks', { 'aria-labelledby': 'checks-title' },
      h('h2', { id: 'checks-title' }, t('ui.invariants')),
      h('ul', { 'data-part': 'invariants' }),
      h('h3', {}, t('ui.counters')),
      h('dl', { 'data-part': 'counters' })));
}

function extras(t) {
  const panel = (name, key, ...body) =>
    h(`section.panel.${name}.panel-${name}`, { 'aria-labelledby': `${name}-title` },
      h('h2', { id: `${name}-title` }, t(key)), h('p.note', {}, t(`${key}.note`)), ...body);
  return h('div.extras', {},
    panel('tries', 'ui.tries', h('ul', { 'data-part': 'tries' })),
    panel('params', 'ui.params',
      h('div.param-list', { 'data-part': 'params' }),
      h('div.param-list.seed', {},
        h('label', {}, h('span', {}, t('ui.seed')),
          h('input', {
            'data-part': 'seed', inputmode: 'numeric', autocomplete: 'off', disabled: true,
          })),
        h('button.quiet', { type: 'button', 'data-act': 'roll', disabled: true },
          t('ui.seed.roll'))),
      h('p.problem', { role: 'alert', 'data-part': 'param-problem', hidden: true })));
}

function help(t) {
  return h('dialog.dialog.help', { 'data-part': 'help', 'aria-labelledby': 'help-title' },
    h('h2', { id: 'help-title' }, t('ui.help.title')),
    h('p', {}, t('ui.help.text')),
    h('dl', {}, KEYS.map(([keys, what]) => h('div', {},
      h('dt', {}, keys.split(' ').flatMap((key) => [h('kbd', {}, key), ' '])),
      h('dd', {}, t(`ui.help.${what}`))))),
    h('label.check', {},
      h('input', { type: 'checkbox', 'data-part': 'single-keys', checked: true }),
      t('ui.help.single')),
    h('button.quiet', { type: 'button', 'data-act': 'close' }, t('ui.help.close')));
}

function share(t) {
  const field = (name, key, tag) => h('label.share-field', {},
    h('span', {}, t(key)),
    h(tag, { 'data-part': name, readonly: true, ...english, spellcheck: 'false', rows: 4 }));
  const copy = (act) => h('button.quiet', { type: 'button', 'data-act': act }, t('ui.share.copy'));
  return h('dialog.dialog.share', { 'data-part': 'share', 'aria-labelledby': 'share-title' },
    h('h2', { id: 'share-title' }, t('ui.share.title')),
    h('p', {}, t('ui.share.text')),
    h('div.share-row', {}, field('share-link', 'ui.share.link', 'input'), copy('copy-link')),
    h('div.share-row', {}, field('share-embed', 'ui.share.embed', 'textarea'), copy('copy-embed')),
    h('div.share-row', {}, field('share-frame', 'ui.share.frame', 'textarea'), copy('copy-frame')),
    h('p.share-end', {},
      h('button.quiet', { type: 'button', 'data-act': 'download' }, t('ui.share.trace')),
      h('button.quiet', { type: 'button', 'data-act': 'close' }, t('ui.help.close'))),
    h('p', { role: 'status', 'data-part': 'share-status' }));
}

/** t(key, values): the text; steps: the ids of the lesson's steps, none while it is not loaded. */
export function playerFrame(t, lesson, steps) {
  return h('section.session', {
    id: 'session', 'data-part': 'session', 'data-status': 'loading',
    'aria-roledescription': t('ui.session.roledescription'), 'aria-label': t('ui.session'),
  },
  bar(t),
  h('label.timeline', {}, hidden(t('ui.timeline')),
    h('input', {
      type: 'range', 'data-part': 'timeline', min: 0, max: 0, value: 0, step: 1, disabled: true,
    })),
  h('p.banner', { 'data-part': 'banner', role: 'status', hidden: true }),
  lanes(t),
  h('div.stage', {}, screen(t), inspectorFrame(t), story(t, steps, lesson)),
  extras(t),
  h('p.visually-hidden', { role: 'status', 'data-part': 'status' }),
  h('div.menu', { role: 'menu', 'data-part': 'menu', hidden: true }),
  help(t), share(t), factTableFrame(t));
}
