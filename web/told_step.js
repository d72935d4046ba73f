/**
 * The step that a session's state tells: the one in progress, or the last that is done; 0 before
 * the first, and where a what-if has left the lesson's steps.
 */
export function toldStep(state) {
  const told = Math.min(state.telling ?? state.step, state.steps);
  return toldAttempt(state) === null ? told : 0;
}

/** The what-if that is told, where the story has left the lesson's steps; else null. */
export function toldAttempt({ attempt, step, telling, steps }) {
  const told = Math.min(telling ?? step, steps);
  return attempt && step >= attempt.after && told === step ? attempt.id : null;
}
