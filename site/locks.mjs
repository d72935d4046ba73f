// The page about locks: the session first, then the problem, the way out, the steps, the places
// where it fits, what there is, questions, and how to try it with one's own client.
import { icon } from './frame.mjs';
import { Html, code, html } from './texts.mjs';

const PARTS = {
  where: 3,
  how: 3,
  problem: 3,
  faq: 4,
};

// Command words of "what you get"; each opens its entry in the reference.
const CHIPS = [
  ['SET NX PX'],
  ['DELEX IFEQ'],
  ['PTTL', 'PEXPIRE'],
  ['DIGEST', 'DELEX IFDEQ'],
  ['LOCK'],
];

const numbers = (count) => Array.from({ length: count }, (_, i) => i + 1);

function button(texts, act, key, options = {}) {
  const name = texts.plain(key);
  return html`<button
    type="button"
    class="${options.className ?? 'quiet'}"
    data-act="${act}"
    ${options.icon && !options.label ? new Html(`title="${name}"`) : ''}
    disabled
  >
    ${options.icon ? icon(options.icon) : ''}
    <span class="${options.icon && !options.label ? 'visually-hidden' : 'name'}">${name}</span>
  </button>`;
}

function bar(texts) {
  return html`<div class="bar" role="group" aria-label="${texts.plain('ui.controls')}">
    <button type="button" class="primary" data-act="play" disabled>
      <span class="when-paused">${icon('play')}</span>
      <span class="when-playing">${icon('pause')}</span>
      <span data-part="play-name">${texts.plain('ui.play')}</span>
    </button>
    <div class="transport">
      ${button(texts, 'start', 'ui.start', { icon: 'start' })}
      ${button(texts, 'back', 'ui.back', { icon: 'back' })}
      ${button(texts, 'step', 'ui.step', { icon: 'step' })}
      ${button(texts, 'end', 'ui.end', { icon: 'end' })}
    </div>
    <p class="session-label" data-part="label">${texts.plain('ui.session.loading')}</p>
    <div class="settings">
      <label class="field inline">
        <span>${texts.plain('ui.speed')}</span>
        <select data-part="speed" disabled>
          ${[0.25, 0.5, 1, 2, 4, 8].map(
            (n) => html`<option value="${n}" ${n === 1 ? new Html('selected') : ''}>
              ${texts.plain('ui.speed.value', { n })}
            </option>`,
          )}
        </select>
      </label>
      ${button(texts, 'link', 'ui.link')} ${button(texts, 'help', 'ui.help')}
    </div>
  </div>`;
}

function story(texts, lesson) {
  const total = lesson.steps.length;
  return html`<div class="story">
    <ol class="steps" data-part="steps" aria-label="${texts.plain('ui.steps')}">
      ${lesson.steps.map(
        (id, i) => html`<li>
          <button type="button" data-step="${i + 1}" disabled>
            <span class="visually-hidden"
              >${texts.plain('ui.steps.of', { n: i + 1, total })}:
            </span>
            <span class="number" aria-hidden="true">${i + 1}</span>
            <span class="step-title">${texts.plain(`lesson.lock.step.${id}.title`)}</span>
          </button>
        </li>`,
      )}
    </ol>
    <div class="card" data-part="card">
      <p class="card-count" data-part="card-count" hidden></p>
      <h2 class="card-title" data-part="card-title">${texts.plain('ui.steps.start')}</h2>
      <p data-part="card-text">${texts.plain('ui.steps.start.text')}</p>
      <p class="why" data-part="card-why" hidden></p>
    </div>
  </div>`;
}

function recorded(texts, transcript, build) {
  return html`<div class="recorded" data-part="recorded">
    <p class="note">
      <strong>${texts.plain('ui.transcript.recorded', { build: build.id })}.</strong>
      <span class="no-script">${texts.plain('ui.transcript.no_script')}</span>
      <span data-part="no-engine" hidden>${texts.plain('ui.transcript.no_engine')}</span>
    </p>
    <pre lang="en" translate="no">${transcript}</pre>
  </div>`;
}

function screen(texts, transcript, build) {
  return html`<div class="screen">
    <div class="world needs-engine" data-part="world">
      <div class="cast" data-part="cast"></div>
      <p class="sum" data-part="sum"></p>
    </div>
    <div class="transcript-head">
      <h2 id="transcript-title">${texts.plain('ui.transcript')}</h2>
      <div
        class="lanes needs-engine"
        role="group"
        aria-label="${texts.plain('ui.transcript.filter')}"
        data-part="lanes"
      ></div>
      <button type="button" class="quiet" data-act="copy" disabled>
        ${texts.plain('ui.transcript.copy')}
      </button>
    </div>
    <div
      class="log"
      role="log"
      aria-live="off"
      aria-labelledby="transcript-title"
      tabindex="0"
      data-part="log"
    >
      ${recorded(texts, transcript, build)}
    </div>
    ${consoleForm(texts)}
  </div>`;
}

function consoleForm(texts) {
  return html`<div class="console needs-engine">
    <div class="prompt-line">
      <label class="client">
        <span class="visually-hidden">${texts.plain('ui.console.client')}</span>
        <select data-part="client" lang="en" translate="no" disabled></select>
      </label>
      <span class="prompt" aria-hidden="true" translate="no">hotkv&gt;</span>
      <span class="typing">
        <span class="ghost" data-part="ghost" aria-hidden="true" lang="en" translate="no"></span>
        <input
          data-part="line"
          lang="en"
          translate="no"
          aria-label="${texts.plain('ui.console.input')}"
          aria-describedby="console-hint console-syntax"
          autocomplete="off"
          autocapitalize="off"
          autocorrect="off"
          spellcheck="false"
          enterkeyhint="send"
          disabled
        />
      </span>
      <button type="button" class="quiet" data-act="send" disabled>
        ${texts.plain('ui.console.send')}
      </button>
    </div>
    <p class="choices" data-part="choices" lang="en" translate="no" hidden></p>
    <p class="visually-hidden" id="console-syntax" data-part="syntax" lang="en" translate="no"></p>
    <p class="hint" id="console-hint">${texts.plain('ui.console.hint')}</p>
  </div>`;
}

function extras(texts, lesson) {
  const panel = (name, key, note, body) =>
    html`<section class="panel ${name}" aria-labelledby="${name}-title">
      <h2 id="${name}-title">${texts.plain(key)}</h2>
      ${note ? html`<p class="note">${texts.plain(note)}</p>` : ''} ${body}
    </section>`;
  return html`<div class="extras needs-engine">
    ${panel('tries', 'ui.tries', 'ui.tries.note', html`<ul data-part="tries"></ul>`)}
    ${panel(
      'params',
      'ui.params',
      'ui.params.note',
      html`<div class="param-list" data-part="params"></div>
        ${seedField(texts, lesson)}
        <p class="problem" role="alert" data-part="param-problem" hidden></p>`,
    )}
    ${panel(
      'checks',
      'ui.invariants',
      '',
      html`<ul data-part="invariants"></ul>
        <h3>${texts.plain('ui.counters')}</h3>
        <dl data-part="counters"></dl>`,
    )}
  </div>`;
}

function seedField(texts, lesson) {
  return html`<div class="param-list seed">
    <label>
      <span>${texts.plain('ui.seed')}</span>
      <input
        data-part="seed"
        inputmode="numeric"
        value="${lesson.seed}"
        autocomplete="off"
        disabled
      />
    </label>
    ${button(texts, 'roll', 'ui.seed.roll')}
  </div>`;
}

function help(texts) {
  const rows = [
    ['Space', 'play'],
    [', .', 'event'],
    ['[ ] ← →', 'step'],
    ['Home End', 'ends'],
    ['1 – 9', 'number'],
    ['- +', 'speed'],
    ['/', 'console'],
    ['b', 'lesson'],
    ['c', 'copy'],
    ['?', 'help'],
    ['Esc', 'leave'],
  ];
  return html`<dialog class="help" data-part="help" aria-labelledby="help-title">
    <h2 id="help-title">${texts.plain('ui.help.title')}</h2>
    <p>${texts.plain('ui.help.text')}</p>
    <dl>
      ${rows.map(
        ([keys, what]) => html`<div>
          <dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt>
          <dd>${texts.plain(`ui.help.${what}`)}</dd>
        </div>`,
      )}
    </dl>
    <label class="check"
      ><input type="checkbox" data-part="single-keys" checked
      />${texts.plain('ui.help.single')}</label
    >
    <button type="button" class="quiet" data-act="close-help"
      >${texts.plain('ui.help.close')}</button>
  </dialog>`;
}

function session(texts, lesson, transcript, build) {
  return html`<section
    class="session"
    id="session"
    data-part="session"
    data-lesson="${lesson.id}"
    data-build="${build.id}"
    data-status="loading"
    aria-roledescription="${texts.plain('ui.session.roledescription')}"
    aria-label="${texts.plain('ui.session')}"
  >
    ${bar(texts)}
    <label class="timeline">
      <span class="visually-hidden">${texts.plain('ui.timeline')}</span>
      <input type="range" data-part="timeline" min="0" max="0" value="0" step="1" disabled />
    </label>
    <p class="banner" data-part="banner" role="status" hidden></p>
    <div class="branch-bar" data-part="branch" hidden>
      <p data-part="branch-note"></p>
      <button type="button" class="quiet" data-act="lesson"
        >${texts.plain('ui.branch.back')}</button>
    </div>
    <div class="stage">${story(texts, lesson)} ${screen(texts, transcript, build)}</div>
    ${extras(texts, lesson)}
    <p class="visually-hidden" role="status" data-part="status"></p>
    ${help(texts)}
  </section>`;
}

function prose(texts, lesson) {
  const t = (key) => texts.plain(key);
  const cards = (part, count) =>
    html`<ul class="cards">
      ${numbers(count).map(
        (n) => html`<li>
          <h3>${t(`${part}.${n}.title`)}</h3>
          <p>${texts.rich(`${part}.${n}.text`)}</p>
        </li>`,
      )}
    </ul>`;
  return html`<section class="prose" aria-labelledby="problem">
      <h2 id="problem">${t('problem.title')}</h2>
      <p class="lead">${t('problem.lead')}</p>
      <ul class="reasons">
        ${numbers(PARTS.problem).map((n) => html`<li>${texts.rich(`problem.${n}`)}</li>`)}
      </ul>
    </section>
    <section class="prose" aria-labelledby="how">
      <h2 id="how">${t('how.title')}</h2>
      ${cards('how', PARTS.how)}
    </section>
    <section class="prose" aria-labelledby="walk">
      <h2 id="walk">${t('walk.title')}</h2>
      <p class="lead">${t('walk.lead')}</p>
      <ol class="walk">
        ${lesson.steps.map((id, i) => walkStep(texts, id, i + 1))}
      </ol>
    </section>
    <section class="prose" aria-labelledby="where">
      <h2 id="where">${t('where.title')}</h2>
      ${cards('where', PARTS.where)}
    </section>
    <section class="prose" aria-labelledby="get">
      <h2 id="get">${t('get.title')}</h2>
      <ul class="gains">
        ${CHIPS.map(
          (chips, i) => html`<li>
            <h3>${t(`get.${i + 1}.title`)}</h3>
            <p>${t(`get.${i + 1}.text`)}</p>
            <p class="chips">${chips.map((chip) => html`${code(chip)} `)}</p>
          </li>`,
        )}
      </ul>
    </section>`;
}

function walkStep(texts, id, n) {
  const key = `lesson.lock.step.${id}`;
  return html`<li>
    <h3>${texts.plain(`${key}.title`)}</h3>
    <p>${texts.rich(`${key}.text`)}</p>
    <p class="why">${texts.rich(`${key}.why`)}</p>
    <p class="needs-script">
      <a class="go" href="#lock/step=${n}" data-go="${n}"
        >${texts.plain('walk.go')}<span class="visually-hidden">: ${n}</span></a
      >
    </p>
  </li>`;
}

function questions(texts) {
  return html`<section class="prose" aria-labelledby="faq">
    <h2 id="faq">${texts.plain('faq.title')}</h2>
    ${numbers(PARTS.faq).map(
      (n) => html`<details>
        <summary>${texts.plain(`faq.${n}.q`)}</summary>
        <p>${texts.rich(`faq.${n}.a`)}</p>
      </details>`,
    )}
  </section>`;
}

function own(texts, lesson) {
  const block = (key, lines) => html`<h3>${texts.plain(key)}</h3>
    <pre class="block" lang="en" translate="no" tabindex="0" role="region"
      aria-label="${texts.plain(key)}">${lines.join('\n')}</pre>`;
  return html`<section class="prose" aria-labelledby="own">
    <h2 id="own">${texts.plain('own.title')}</h2>
    <p class="lead">${texts.plain('own.lead')}</p>
    ${block('own.start', ['scripts/run'])}
    ${block('own.run', lesson.commands.map((command) => `redis-cli ${command}`))}
    <p>${texts.rich('own.after')}</p>
  </section>`;
}

/** The main part of the page. lesson: {id, seed, steps, commands}; transcript: hotkv-sim's. */
export function locksPage(texts, lesson, transcript, build) {
  return html`<div class="hero">
      <p class="category">${texts.plain('hero.category')}</p>
      <h1>${texts.plain('hero.title')}</h1>
      <p class="tagline">${texts.plain('hero.tagline')}</p>
    </div>
    ${session(texts, lesson, transcript, build)}
    <p class="caption">${texts.plain('hero.caption')}</p>
    ${prose(texts, lesson)} ${questions(texts)} ${own(texts, lesson)}
    <script type="application/json" id="texts">${dataBlock(texts.forPage())}</script>`;
}

function dataBlock(value) {
  return new Html(JSON.stringify(value).replace(/</g, '\\u003c'));
}
