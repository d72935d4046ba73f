// How fast a session plays: wall time for each gap of simulated time, so that an expiry of thirty
// seconds makes nobody wait and two messages close together can still be told apart.

// A gap of simulated time takes between these two, in real time, at speed 1.
const GAP_MS_MIN = 250;
const GAP_MS_MAX = 1600;
const GAP_PER_LOG_MS = 300;
const READING_MS = 900;
const CALM_MS = 1000;

export class Pace {
  #timer = 0;
  #tick;

  /** tick() does one event and answers {gap_us, stepped}, or null at the end. */
  constructor(tick) {
    this.#tick = tick;
    this.speed = 1;
    this.calm = false;
  }

  start() {
    this.#schedule(this.calm ? CALM_MS : GAP_MS_MIN);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #schedule(delay_ms) {
    this.stop();
    this.#timer = setTimeout(() => {
      const next = this.#tick();
      if (next) this.#schedule(this.calm ? CALM_MS : this.#delay(next));
    }, delay_ms / this.speed);
  }

  #delay({ gap_us, stepped }) {
    const tempo = GAP_PER_LOG_MS * Math.log1p(gap_us / 1000);
    return Math.min(GAP_MS_MAX, Math.max(GAP_MS_MIN, tempo)) + (stepped ? READING_MS : 0);
  }
}
