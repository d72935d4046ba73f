// What a visitor does with the controls: one table of actions serves buttons, keys and the menu.
// What an action refuses is said in the banner, never swallowed.
import { element, part } from './dom.js';

export class Controls {
  constructor(player) {
    Object.assign(this, player);
    this.player = player;
    const { session } = player;
    this.actions = {
      play: () => (session.status === 'playing' ? session.pause() : session.play()),
      start: () => session.seek({ step: 0 }),
      end: () => session.seek({ end: true }),
      back: () => session.stepBy(-1),
      step: () => session.stepBy(1),
      eventBack: () => session.eventBy(-1),
      eventStep: () => session.eventBy(1),
      lesson: () => session.act('', 'lesson'),
      roll: () => session.act('', 'seed', { value: 1 + Math.floor(Math.random() * 999999) }),
      copy: () => this.copyTranscript(),
      link: () => this.player.share.copyLink(),
      share: () => this.player.share.open(),
      help: () => part(this.root, 'help').showModal(),
      'own-server': () => this.copyForServer(),
      slower: () => this.changeSpeed(-1),
      faster: () => this.changeSpeed(1),
      kill: () => this.player.world.actOnChosen(['kill', 'restart']),
      cut: () => this.player.world.actOnChosen(['cut', 'heal']),
      tabs: () => this.player.canvas?.nextTab(),
      inspect: () => this.player.inspector.toggle(),
      drop: () => this.player.world.actOnChosen(['drop']),
    };
  }

  /** Runs an action of the visitor. */
  guarded = async (action) => {
    try {
      await action();
    } catch (error) {
      this.banner(String(error.message ?? error), 'refused');
    }
  };

  say(text) {
    part(this.root, 'status').textContent = text;
  }

  banner(text, kind = 'note') {
    const box = part(this.root, 'banner');
    box.dataset.kind = kind;
    box.textContent = text;
    box.hidden = text === '';
  }

  typeLine = (client, node, line) => this.guarded(async () => {
    const reply = await this.session.exec(client, node, line);
    const { name } = this.session.lesson.clients.find((one) => one.id === client);
    const silent = this.texts.text('ui.console.no_reply', { client: name });
    this.say(reply.text === null ? silent : reply.text);
  });

  async copied(text, said) {
    await navigator.clipboard.writeText(text);
    this.say(said);
    this.banner(said);
  }

  copyTranscript() {
    const { text, said } = this.player.copyMenu.copy();
    return this.copied(text, said);
  }

  /** The last typed or told line, as one would give it to a server of one's own. */
  copyForServer() {
    const entry = this.session.transcript().at(-1);
    const line = entry ? entry.line : 'PING';
    const said = this.texts.text('ui.console.own_server.copied');
    return this.copied(`hotkv-cli ${line}`, said);
  }

  changeSpeed(direction) {
    const select = part(this.root, 'speed');
    const at = Math.min(select.options.length - 1, Math.max(0, select.selectedIndex + direction));
    select.selectedIndex = at;
    this.session.speed = select.value;
  }

  start() {
    const { root, session } = this;
    for (const control of root.querySelectorAll(':disabled')) control.disabled = false;
    root.addEventListener('click', (event) => this.clicked(event));
    part(root, 'speed').addEventListener('change', (event) => {
      session.speed = event.target.value;
    });
    part(root, 'seed').addEventListener('change', (event) => this.changeSeed(event.target));
    part(root, 'timeline').addEventListener('input', (event) => {
      this.guarded(() => session.seek({ event: Number(event.target.value) }));
    });
    part(root, 'difference').addEventListener('toggle', (event) => {
      if (event.target.open) this.player.view.showDifference();
    });
    this.showTries();
  }

  changeSeed(field) {
    const seed = field.value.trim();
    const valid = /^\d{1,19}$/.test(seed);
    field.setAttribute('aria-invalid', String(!valid));
    if (valid) this.guarded(() => this.session.act('', 'seed', { value: seed }));
  }

  clicked(event) {
    const { session } = this;
    const on = (name) => event.target.closest(`[data-${name}]`);
    const step = on('step');
    if (step) this.guarded(() => session.seek({ step: Number(step.dataset.step) }));
    const attempt = on('try');
    if (attempt && attempt.getAttribute('aria-disabled') !== 'true') {
      this.tried(attempt.dataset.try);
    }
    const lane = on('lane');
    if (lane) this.guarded(() => session.act(lane.dataset.lane, 'branch'));
    const act = on('act');
    if (!act || act.getAttribute('aria-disabled') === 'true') return;
    if (act.dataset.act === 'close') act.closest('dialog').close();
    else if (this.actions[act.dataset.act]) this.guarded(this.actions[act.dataset.act]);
  }

  tried(id) {
    return this.guarded(async () => {
      await this.session.act(id);
      this.session.play();
    });
  }

  /** The what-ifs; one that this build of the engine cannot run yet is dimmed and says so. */
  showTries() {
    const { texts, session } = this;
    const { id, tries } = session.lesson;
    const known = tries.map((one) => one.id);
    const later = texts.keys(`lesson.${id}.try.`, '.title').filter((one) => !known.includes(one));
    part(this.root, 'tries').replaceChildren(
      ...known.map((one) => this.tryItem(id, one, true)),
      ...later.map((one) => this.tryItem(id, one, false)),
    );
  }

  tryItem(lesson, id, possible) {
    const { texts } = this;
    const key = `lesson.${lesson}.try.${id}`;
    const button = element(
      'button',
      { type: 'button' },
      element('span', { className: 'try-title' }, texts.text(`${key}.title`)),
      element('span', { className: 'try-text' }, texts.text(`${key}.text`)),
    );
    button.dataset.try = id;
    if (!possible) {
      button.setAttribute('aria-disabled', 'true');
      button.append(element('span', { className: 'try-later' }, texts.text('ui.later')));
    }
    return element('li', {}, button);
  }

  show(state) {
    const seed = part(this.root, 'seed');
    if (!seed.matches(':focus')) seed.value = state.seed;
  }

  /** What an event of the session has to say to the visitor. */
  heard(name, detail) {
    const { texts, session } = this;
    const box = part(this.root, 'banner');
    // A fault of the engine stays; other words were about the state that has just gone.
    if (name === 'statechange' && detail.event !== undefined && box.dataset.kind !== 'fault') {
      this.banner('');
    } else if (name === 'stepchange' && detail.step > 0) {
      const reply = session.transcript().at(-1)?.text ?? '';
      const title = this.player.view.stepTitle(detail.step);
      const total = session.lesson.steps.length;
      this.say(texts.text('ui.status.step', { n: detail.step, total, title, reply }));
    } else if (name === 'branch') {
      this.say(texts.text(detail.branch ? 'ui.status.branch' : 'ui.status.lesson'));
    } else if (name === 'error' && detail.kind === 'determinism') {
      this.banner(`${texts.text('ui.error.determinism')}\n${detail.message}`, 'fault');
    }
  }
}
