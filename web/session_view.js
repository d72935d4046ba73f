// Shows a session: label, steps, world, checks. Each function reads the player's state and writes
// the elements of the page; nothing here remembers what was shown before.

export const part = (root, name) => root.querySelector(`[data-part="${name}"]`);

/** element('p', {className}, child, ...): children are elements or text. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Text as a client types and reads it: English in every language of the page. */
export function wire(name, className, text) {
  const made = element(name, { className, lang: 'en', translate: false });
  made.textContent = text;
  return made;
}

const milliseconds = (time_us) => Math.round(time_us / 1000);

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
    this.showWorld(state);
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

  /** The step that is being told: the one in progress, or the last that is done. */
  told(state) {
    return state.telling ?? state.step;
  }

  /** The what-if that is being told, where the story has left the lesson's steps; else null. */
  toldAttempt(state) {
    const { attempt, step } = state;
    return attempt && step >= attempt.after && this.told(state) === step ? attempt.id : null;
  }

  showSteps(state) {
    const { texts } = this;
    const told = this.told(state);
    const attempt = this.toldAttempt(state);
    for (const button of this.root.querySelectorAll('[data-step]')) {
      const n = Number(button.dataset.step);
      button.disabled = false;
      button.parentElement.classList.toggle('done', n <= state.step);
      if (n === told && attempt === null) button.setAttribute('aria-current', 'step');
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
      this.part('card-text').textContent = texts.text('ui.steps.start.text');
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

  showWorld(state) {
    const cast = this.part('cast');
    const [first, ...others] = state.clients.map((client) => this.clientCard(client));
    const nodes = state.nodes.map((node) => this.nodeCard(node));
    cast.replaceChildren(...[first, ...nodes, ...others].filter(Boolean));
    this.part('sum').textContent = this.summary(state);
  }

  clientCard(client) {
    const { texts } = this;
    const state = !client.up ? 'dead' : client.holding ? 'holds' : 'idle';
    const card = element(
      'div',
      { className: 'actor client' },
      element(
        'h3',
        {},
        wire('span', '', client.name),
        element('span', { className: 'role' }, texts.text(`ui.world.${state}`)),
      ),
    );
    card.toggleAttribute('data-holds', Boolean(client.up && client.holding));
    card.toggleAttribute('data-dead', !client.up);
    if (client.line) card.append(wire('span', 'line', client.line));
    if (client.text !== undefined && client.text !== null) {
      card.append(wire('span', 'line', `→ ${client.text}`));
    }
    return card;
  }

  nodeCard(node) {
    const { texts } = this;
    const role = node.up ? 'node' : 'dead';
    const card = element(
      'div',
      { className: 'actor node' },
      element(
        'h3',
        {},
        wire('span', '', node.id),
        element('span', { className: 'role' }, texts.text(`ui.world.${role}`)),
      ),
    );
    card.toggleAttribute('data-dead', !node.up);
    for (const key of node.keys.slice(0, 3)) card.append(...this.keyRows(key));
    return card;
  }

  keyRows(key) {
    const rows = [wire('span', 'line', `${key.key} = ${key.value}`), element('span')];
    rows[1].textContent = this.left(key.ttl_ms);
    const full_ms = Number(this.player.params.ttl);
    if (key.ttl_ms >= 0 && full_ms > 0) {
      const meter = element('progress', { max: full_ms, value: Math.min(full_ms, key.ttl_ms) });
      meter.setAttribute('aria-hidden', 'true');
      rows.push(meter);
    }
    return rows;
  }

  left(ttl_ms) {
    if (ttl_ms < 0) return this.texts.text('ui.world.no_ttl');
    if (ttl_ms < 1000) return this.texts.text('ui.world.ttl.ms', { ms: ttl_ms });
    return this.texts.text('ui.world.ttl', { s: ttl_ms / 1000 });
  }

  summary(state) {
    const { texts, player } = this;
    const ms = milliseconds(state.time_us);
    const lock = state.nodes.flatMap((node) => node.keys).find((k) => k.key === player.params.key);
    const flight = state.flight > 0
      ? texts.text('ui.world.flight', { n: state.flight })
      : '';
    if (!lock) return `${texts.text('ui.world.sum.free', { ms })} ${flight}`.trim();
    const holder = state.clients.find((client) => client.token === lock.value);
    const key = holder ? 'ui.world.sum.held' : 'ui.world.sum.held_unknown';
    const values = { ms, who: holder?.name, value: lock.value, left: this.left(lock.ttl_ms) };
    return `${texts.text(key, values)} ${flight}`.trim();
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

  showBranch(state) {
    this.part('branch').hidden = !state.branch;
    const n = state.inputs.length;
    this.part('branch-note').textContent = n > 0
      ? this.texts.text('ui.branch.open', { n })
      : this.texts.text('ui.branch.note');
  }
}
