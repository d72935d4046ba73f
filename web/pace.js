// How fast a session plays: wall time for each gap of simulated time, so that an expiry of thirty
// seconds makes nobody wait and two messages close together can still be told apart.
//
// With a canvas the clock is the view's own (web/view/tempo.h): simulated time moves with each
// frame of the screen and messages travel. Without one, and with reduced motion, there are only
// events.

// Without a clock a gap of simulated time takes between these two, in real time, at speed 1.
const GAP_MS_MIN = 250;
const GAP_MS_MAX = 1600;
const GAP_PER_LOG_MS = 300;
const READING_MS = 900;
const CALM_MS = 1000;
// A frame that comes late does not make the story jump.
const FRAME_MS_MAX = 100;

export class Pace {
  #timer = 0;
  #frame = 0;
  #tick;
  #next;

  /**
   * tick() does one event and answers {gap_us, stepped}, or null at the end; next() is
   * {time_us, next_us}: the last event's instant and the coming one's.
   */
  constructor(tick, next) {
    this.#tick = tick;
    this.#next = next;
    this.speed = 1;
    this.calm = false;
    /** {secondsAt(us), timeAt(seconds), show(us)}: reading time of the run that plays. */
    this.clock = null;
  }

  start() {
    if (this.clock && !this.calm) this.#run();
    else this.#schedule(this.calm ? CALM_MS : GAP_MS_MIN);
  }

  stop() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
  }

  // By the clock of the view.

  #run() {
    this.stop();
    let seconds = this.clock.secondsAt(this.#next().time_us);
    let rest_ms = 0;
    let before = performance.now();
    const frame = (now) => {
      let passed = Math.min(Math.max(0, now - before), FRAME_MS_MAX) * this.speed;
      before = now;
      const rested = Math.min(rest_ms, passed);
      rest_ms -= rested;
      passed -= rested;
      seconds += passed / 1000;
      const event = this.#due(seconds);
      if (event === null) return;
      if (event?.stepped) rest_ms = READING_MS;
      // After an event the clock is the event's: what rounding took is given back.
      if (event) seconds = Math.max(this.clock.secondsAt(this.#next().time_us), 0);
      else this.clock.show(this.clock.timeAt(seconds));
      this.#frame = requestAnimationFrame(frame);
    };
    this.#frame = requestAnimationFrame(frame);
  }

  /** The events that are due, up to the end of a step; undefined: none, null: the end. */
  #due(seconds) {
    let done;
    while (this.clock.secondsAt(this.#next().next_us) <= seconds) {
      done = this.#tick();
      if (!done || done.stepped) break;
    }
    return done;
  }

  // By events alone.

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
