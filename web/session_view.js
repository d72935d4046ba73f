// Shows a session's story: label, steps, checks, branches. Each function reads the session's state
// and writes the elements of the frame; nothing here remembers what was shown before.
import { element, h, part, wire } from './dom.js';
import { toldAttempt, toldStep } from './told_step.js';

export class SessionView {
  constructor(root, texts, player) {
    this.root = root;
    this.texts = texts;
    this.player = player;
  }

  part(name) {
    return part(this.root, name);
  }

  show(state) {
    this.showLabel(state);
    this.showSteps(state);
    this.showChecks(state);
    this.showBranch(state);
  }

  showLabel(state) {
    const { texts } = this;
    this.root.dataset.status = state.status;
    this.part('label').textContent = texts.text(`ui.session.${state.status}`);
    const key = state.status === 'playing' ? 'ui.pause' : state.ended ? 'ui.replay' : 'ui.play';
    this.part('play-name').textContent = texts.text(key);
    this.enable('start', state.event > 0);
    this.enable('back', state.event > 0);
    this.enable('step', !state.ended);
    this.enable('end', !state.ended);
    const timeline = this.part('timeline');
    timeline.max = state.length;
    timeline.value = state.event;
    timeline.setAttribute('aria-valuetext', this.where(state));
  }

  enable(act, enabled) {
    const button = this.root.querySelector(`[data-act="${act}"]`);
    // A button that loses its use keeps the focus, so that the keyboard is not thrown out.
    button.setAttribute('aria-disabled', String(!enabled));
    button.disabled = false;
  }

  where(state) {
    const { texts } = this;
    if (state.step === 0) return texts.text('ui.steps.start');
    return texts.text('ui.steps.item', {
      n: state.step,
      total: state.steps,
      title: this.stepTitle(state.step),
    });
  }

  stepTitle(n) {
    const { id, steps } = this.player.lesson;
    return this.texts.text(`lesson.${id}.step.${steps[n - 1].id}.title`);
  }

  showSteps(state) {
    const { texts } = this;
    const told = toldStep(state);
    const attempt = toldAttempt(state);
    for (const button of this.root.querySelectorAll('[data-step]')) {
      const n = Number(button.dataset.step);
      button.disabled = false;
      button.parentElement.classList.toggle('done', n <= state.step);
      if (n === told) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    const { id, steps } = this.player.lesson;
    const why = this.part('card-why');
    this.part('card-count').hidden = told === 0 || attempt !== null;
    for (const button of this.root.querySelectorAll('[data-try]')) {
      const open = button.dataset.try === state.attempt?.id;
      button.setAttribute('aria-pressed', String(open));
    }
    if (attempt !== null) {
      const key = `lesson.${id}.try.${attempt}`;
      this.part('card-title').textContent = texts.text(`${key}.title`);
      texts.fill(this.part('card-text'), `${key}.text`);
      why.hidden = true;
      return;
    }
    if (told === 0) {
      this.part('card-title').textContent = texts.text('ui.steps.start');
      const own = `lesson.${id}.start`;
      this.part('card-text').textContent = texts.text(texts.has(own) ? own : 'ui.steps.start.any');
      why.hidden = true;
      return;
    }
    const key = `lesson.${id}.step.${steps[told - 1].id}`;
    this.part('card-count').textContent = texts.text('ui.steps.of', {
      n: told,
      total: state.steps,
    });
    this.part('card-title').textContent = texts.text(`${key}.title`);
    texts.fill(this.part('card-text'), `${key}.text`);
    texts.fill(why, `${key}.why`);
    why.hidden = false;
  }

  showChecks(state) {
    const { texts } = this;
    const checks = state.invariants.map(({ id, holds }) => {
      const verdict = holds ? 'holds' : 'broken';
      return this.check(verdict, texts.text(`ui.invariant.${id}`), `ui.invariant.${verdict}`);
    });
    const goals = state.goals.map(({ id, reached }) => {
      const verdict = reached ? 'reached' : 'open';
      return this.check(verdict, texts.text(`ui.goal.${id}`), `ui.goal.${verdict}`);
    });
    this.part('invariants').replaceChildren(...checks, ...goals);
    this.part('counters').replaceChildren(
      ...state.counters.map(({ id, value }) => this.counter(id, value)),
    );
  }

  check(verdict, name, stateKey) {
    const sign = { holds: '✓', broken: '✗', reached: '✓', open: '○' }[verdict];
    const mark = element('span', { className: 'sign' }, sign);
    mark.setAttribute('aria-hidden', 'true');
    return element(
      'li',
      { className: verdict },
      mark,
      element(
        'span',
        {},
        this.texts.text('ui.invariant.said', { name }),
        element('span', { className: 'state' }, this.texts.text(stateKey)),
      ),
    );
  }

  counter(id, value) {
    const unit = id === 'lua' ? 'scripts' : 'commands';
    const name = element('dt', {}, this.texts.text(`ui.counter.${id}`));
    const figure = element('dd', {}, this.texts.text(`ui.counter.${unit}`, { n: value }));
    return element('div', {}, name, figure);
  }

  /** Lanes: the lesson and what the visitor made of it, each with the events of its actions. */
  showBranch(state) {
    const { texts } = this;
    const several = state.lanes.length > 1;
    this.part('branch').hidden = !several;
    if (!several) return;
    const longest = Math.max(...state.lanes.map((lane) => lane.length), 1);
    this.part('lane-list').replaceChildren(
      ...state.lanes.map((lane) => this.laneButton(lane, longest)),
    );
    const n = state.inputs.length;
    const note = n > 0 ? texts.text('ui.branch.open', { n }) : texts.text('ui.branch.note');
    this.part('branch-note').textContent = state.branch ? note : texts.text('ui.lanes.kept');
    this.enable('lesson', state.branch);
    const difference = this.part('difference');
    difference.hidden = !state.branch;
    if (difference.open) this.showDifference();
  }

  laneButton({ name, length, at, current }, longest) {
    const { texts } = this;
    const title = texts.text(name === 0 ? 'ui.lanes.lesson' : 'ui.lanes.branch', { name });
    const track = h('span.lane-track', { 'aria-hidden': 'true' });
    track.style.inlineSize = `${Math.max(12, (100 * length) / longest)}%`;
    for (const event of at) {
      const tick = h('span.lane-tick');
      tick.style.insetInlineStart = `${Math.min(100, (100 * event) / Math.max(1, length))}%`;
      track.append(tick);
    }
    return h('button.lane', {
      type: 'button', 'data-lane': name, 'aria-pressed': String(current),
    }, h('span', {}, title), h('span.lane-room', {}, track));
  }

  /** Where this branch and the lesson part, and what their nodes hold at the same event. */
  showDifference() {
    const { texts } = this;
    const list = this.part('difference-list');
    const difference = this.player.difference();
    if (difference === null) {
      list.replaceChildren(h('p', {}, texts.text('ui.difference.none')));
      return;
    }
    const first = h('p', {}, texts.text('ui.difference.event', { event: difference.event }));
    const rows = differentKeys(difference.lesson, difference.branch);
    const cell = (text) => wire('td', '', text ?? '–');
    const table = h('table', {},
      h('thead', {}, h('tr', {}, ['ui.difference.key', 'ui.lanes.lesson', 'ui.difference.mine'].map(
        (key) => h('th', { scope: 'col' }, texts.text(key))))),
      h('tbody', {}, rows.map(([key, lesson, mine]) =>
        h('tr', {}, cell(key), cell(lesson), cell(mine)))));
    const same = h('p', {}, texts.text('ui.difference.same'));
    list.replaceChildren(first, rows.length > 0 ? table : same);
  }

  /** The list of steps as the engine has read it. */
  start() {
    const { id, steps } = this.player.lesson;
    for (const button of this.root.querySelectorAll('[data-step]')) {
      if (Number(button.dataset.step) > steps.length) button.parentElement.remove();
    }
    const titles = this.root.querySelectorAll('.step-title');
    steps.forEach((step, i) => {
      if (titles[i]) titles[i].textContent = this.texts.text(`lesson.${id}.step.${step.id}.title`);
    });
  }
}

/** [name, value in the lesson, value in the branch] of keys and roles that are not the same. */
function differentKeys(lesson, mine) {
  const told = (nodes) => new Map(nodes.flatMap((node) => [
    [node.id, node.up ? node.role : 'down'],
    ...node.keys.map((key) => [`${node.id}  ${key.key}`, key.value]),
  ]));
  const [before, after] = [told(lesson), told(mine)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => [name, before.get(name), after.get(name)]);
}
