# Sourced by the scripts: where the project is, how to speak, how to run a long step.
#
# Every script says what it does before it takes time, and a failure is one clear line that starts
# with "error:"; the full output of a failed step stays in build/logs.
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
LOGS="$ROOT/build/logs"
JOBS="${HOTKV_JOBS:-$(nproc)}"
export EM_CONFIG="$ROOT/scripts/em.cfg"
mkdir -p "$LOGS"

# A node of the project's own (scripts/setup node) goes before the system's.
if [ -x "$ROOT/build/node/node_modules/node/bin/node" ]; then
  PATH="$ROOT/build/node/node_modules/node/bin:$PATH"
fi

say() { printf '%s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# long_step "what" log-name command...: runs the command with its output in a log, says what it is
# doing, adds a line every 30 s, and shows the end of the log when the command fails.
long_step() {
  local what="$1" log="$LOGS/$2.log" started=$SECONDS status=0 beat
  shift 2
  printf '%s ...\n' "$what"
  (
    while sleep 30 >/dev/null 2>&1; do
      printf '  still at it (%d s): %s\n' $((SECONDS - started)) \
        "$(tail -c 200 "$log" | tr '\r' '\n' | tail -n 1 | cut -c 1-100)"
    done
  ) &
  beat=$!
  disown "$beat"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$beat"
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log" >&2
    printf 'error: %s: failed after %d s (whole output: %s)\n' \
      "$what" $((SECONDS - started)) "${log#"$ROOT"/}" >&2
    return 1
  fi
  printf '%s: done in %d s\n' "$what" $((SECONDS - started))
}

# port_in_use N: is somebody listening on 127.0.0.1:N?
port_in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
