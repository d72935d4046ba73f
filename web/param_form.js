// The parameters of the lesson as fields: a change runs the lesson again with the new value.
import { element, part } from './dom.js';

// Milliseconds, where nothing else is said.
const LIMITS = { min: 1, max: 86400000 };
const LIMITS_OF = { jitter: { min: 0, max: 100 } };

export class ParamForm {
  constructor(root, texts, player, guarded) {
    this.box = part(root, 'params');
    this.problem = part(root, 'param-problem');
    this.texts = texts;
    this.player = player;
    this.guarded = guarded;
  }

  start() {
    this.box.replaceChildren(...this.player.lesson.params.map((param) => this.field(param)));
  }

  field({ name, value }) {
    const input = element('input', { value, autocomplete: 'off', spellcheck: false, lang: 'en' });
    input.translate = false;
    input.dataset.param = name;
    if (this.isNumber(name)) input.inputMode = 'numeric';
    input.addEventListener('change', () => this.change(name, input));
    const key = `ui.param.${name}`;
    const label = this.texts.has(key) ? this.texts.text(key) : name;
    return element('label', {}, element('span', {}, label), input);
  }

  /** A parameter whose value in the lesson is a number stays one. */
  isNumber(name) {
    return /^\d+$/.test(this.player.lesson.params.find((param) => param.name === name).value);
  }

  change(name, input) {
    const value = input.value.trim();
    const error = this.error(name, value);
    input.setAttribute('aria-invalid', String(error !== ''));
    this.problem.hidden = error === '';
    this.problem.textContent = error === ''
      ? ''
      : this.texts.text('ui.param.bad', { name: this.texts.text(`ui.param.${name}`), error });
    if (error === '') this.guarded(() => this.player.act(name, 'param', { value }));
  }

  error(name, value) {
    if (value === '' || /[\s"'\\{}]/.test(value)) return this.texts.text('ui.param.bad.empty');
    if (!this.isNumber(name)) return '';
    const limits = LIMITS_OF[name] ?? LIMITS;
    const within = /^\d{1,9}$/.test(value) && value >= limits.min && value <= limits.max;
    return within ? '' : this.texts.text('ui.param.bad.number', limits);
  }

  show(state) {
    for (const input of this.box.querySelectorAll('[data-param]')) {
      if (input.matches(':focus') || input.ariaInvalid === 'true') continue;
      input.value = state.params[input.dataset.param];
    }
  }
}
