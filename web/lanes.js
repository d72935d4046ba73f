// The lanes of a session: the lesson, which never changes, and up to three branches of the
// visitor's own. Doing something forks, so nothing is lost; going back is choosing a lane.
//
// A lane is {name, seed, params, inputs, hashes, times, length}: what its run is made of, and what
// is known of the run, by event. `name` is 0 for the lesson and counts up for branches.
import { INPUTS_MAX } from './link.js';

export const BRANCHES_MAX = 3;

export class Lanes {
  #named = 0;

  constructor(seed, params) {
    this.lesson = this.#lane({ name: 0, seed, params, inputs: [] });
    this.all = [this.lesson];
    this.current = this.lesson;
  }

  #lane(run) {
    return { hashes: [], times: [], length: 0, forked: 0, ...run };
  }

  /** The lane that an input at this event makes: the same one, where it only goes on. */
  fork(input, lastDone) {
    const { current } = this;
    const inputs = current.inputs.slice(0, lastDone);
    if (inputs.length >= INPUTS_MAX) throw new RangeError(`at most ${INPUTS_MAX} actions a branch`);
    const goesOn = current !== this.lesson && inputs.length === current.inputs.length;
    if (goesOn) {
      current.inputs.push(input);
      current.hashes.length = Math.min(current.hashes.length, input.at + 1);
      current.times.length = Math.min(current.times.length, input.at + 1);
      return current;
    }
    const hashes = current.hashes.slice(0, input.at + 1);
    const times = current.times.slice(0, input.at + 1);
    return this.open({ ...current, inputs: [...inputs, input], hashes, times });
  }

  /** A new branch; the oldest one leaves when there are too many. */
  open({ seed, params, inputs, hashes = [], times = [] }) {
    const name = ++this.#named;
    this.current = this.#lane({ name, seed, params: { ...params }, inputs, hashes, times });
    this.all.push(this.current);
    if (this.all.length > BRANCHES_MAX + 1) this.all.splice(1, 1);
    return this.current;
  }

  /** Takes a lane away again: what opened it was refused. */
  drop(lane, before) {
    this.all = this.all.filter((one) => one !== lane);
    this.current = before;
  }

  /** Chooses the lane that runs just so, where there is one. */
  find(run) {
    const same = (lane) => ['seed', 'params', 'inputs'].every(
      (field) => JSON.stringify(lane[field]) === JSON.stringify(run[field]),
    );
    const found = this.all.find(same);
    if (found) this.current = found;
    return found;
  }

  choose(name) {
    const lane = this.all.find((one) => one.name === name);
    if (!lane) throw new RangeError(`there is no branch ${name}`);
    this.current = lane;
    return lane;
  }

  /** The first event whose world differs from the lesson's; null while there is none. */
  parting(lane = this.current) {
    const { hashes } = lane;
    const { hashes: lesson } = this.lesson;
    for (let event = 1; event < hashes.length; event++) {
      if (hashes[event] !== undefined && hashes[event] !== lesson[event]) return event;
    }
    return null;
  }

  /** The instant of the last event that a lane has in common with the lesson, in microseconds. */
  partingTime(lane) {
    const event = this.parting(lane) ?? lane.times.length;
    return lane.times[event - 1] ?? 0;
  }
}
