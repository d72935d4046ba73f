// The page about locks: the session first, then the problem, the way out, the steps, the places
// where it fits, what there is, questions, and how to try it with one's own client.
import { code, html } from './texts.mjs';

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

/** The player: until its session is loaded, and where it cannot be, the recorded transcript. */
function player(texts, lesson, transcript, build) {
  return html`<hotkv-player id="player" lesson="${lesson.id}" loading="lazy">
    <pre slot="transcript" lang="en" translate="no" data-build="${build.id}">${transcript}</pre>
  </hotkv-player>
  <noscript><p class="note">${texts.plain('ui.transcript.recorded', { build: build.id })}.
    ${texts.plain('ui.transcript.no_script')}</p></noscript>`;
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
    ${player(texts, lesson, transcript, build)}
    <p class="caption">${texts.plain('hero.caption')}</p>
    ${prose(texts, lesson)} ${questions(texts)} ${own(texts, lesson)}`;
}
