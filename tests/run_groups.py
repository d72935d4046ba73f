"""Runs the groups of tests/groups.txt and adds up their tallies; called by scripts/test.

  run_groups.py needs [group ...]   prints what the groups need built, for scripts/build
  run_groups.py list                prints the names
  run_groups.py run [group ...]     runs them, as many at a time as there are processors

A group passes when its command exits 0 and its last line is a tally without failures. A group
without a tally (it crashed, or ran into the time limit) counts as one failed test. The last line
of `run` is `N passed, N failed`, and the exit code says the same.
"""
import os
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, 'tests', 'groups.txt')
LOGS = os.path.join(ROOT, 'build', 'logs', 'tests')
TALLY = re.compile(r'^tally: (\d+) passed, (\d+) failed$')
GROUP_TIMEOUT_S = 1500
FAILED_LINES_SHOWN = 60


class Group:
    def __init__(self, name, needs, command, alone):
        self.name = name
        self.needs = needs
        self.command = command
        self.alone = alone


def parse_table(text):
    groups = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith('#'):
            continue
        fields = [field.strip() for field in line.split('|', 2)]
        if len(fields) != 3 or not fields[0] or not fields[2]:
            raise SystemExit(f'error: tests/groups.txt:{number}: must be name | needs | command')
        name = fields[0].rstrip('!')
        if any(group.name == name for group in groups):
            raise SystemExit(f'error: tests/groups.txt:{number}: group {name} is listed twice')
        groups.append(Group(name, fields[1].split(), fields[2], fields[0].endswith('!')))
    return groups


def choose(groups, names):
    known = {group.name for group in groups}
    for name in names:
        if name not in known:
            raise SystemExit(f'error: no group {name!r} in tests/groups.txt; there are: '
                             + ' '.join(group.name for group in groups))
    return [group for group in groups if not names or group.name in names]


def needs_of(groups):
    """Merges the needs of groups: one entry a preset, with all targets that any group takes.

    A preset without targets means all of them.
    """
    presets = {}
    for group in groups:
        for need in group.needs:
            preset, colon, targets = need.partition(':')
            wanted, everything = presets.get(preset, ([], False))
            presets[preset] = (wanted + targets.split(',') if colon else wanted,
                               everything or not colon)
    return [preset if everything else preset + ':' + ','.join(dict.fromkeys(targets))
            for preset, (targets, everything) in presets.items()]


def tally_of(output, exit_code):
    """(passed, failed) from a group's output; at least one failure when the command failed."""
    last = output.rstrip('\n').rsplit('\n', 1)[-1].strip()
    match = TALLY.match(last)
    if not match:
        return 0, 1, 'no tally in its last line'
    passed, failed = int(match.group(1)), int(match.group(2))
    if exit_code != 0 and failed == 0:
        return passed, 1, f'exit code {exit_code} although its tally says none failed'
    if passed + failed == 0:
        return 0, 1, 'it ran no test'
    return passed, failed, ''


class Run:
    def __init__(self, groups, workers):
        self.groups = groups
        self.workers = workers
        self.lock = threading.Lock()
        self.finished = 0
        self.passed = 0
        self.failed = 0
        self.failed_groups = []

    def run_one(self, group):
        log_path = os.path.join(LOGS, group.name + '.log')
        started = time.monotonic()
        timed_out = False
        with open(log_path, 'wb') as log:
            process = subprocess.Popen(['bash', '-c', group.command], cwd=ROOT, stdout=log,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                       start_new_session=True)
            try:
                process.wait(timeout=GROUP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                timed_out = True
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        with open(log_path, 'r', encoding='utf-8', errors='replace') as log:
            output = log.read()
        passed, failed, why = tally_of(output, process.returncode)
        if timed_out:
            failed, why = max(failed, 1), f'stopped after {GROUP_TIMEOUT_S} s'
        self.report(group, passed, failed, why, time.monotonic() - started, output)

    def report(self, group, passed, failed, why, seconds, output):
        with self.lock:
            self.finished += 1
            self.passed += passed
            self.failed += failed
            head = f'[{self.finished}/{len(self.groups)}] {group.name} ...'
            if failed == 0:
                print(f'{head} ok {seconds:.0f} s ({passed} passed)', flush=True)
                return
            self.failed_groups.append(group.name)
            for line in output.splitlines()[-FAILED_LINES_SHOWN:]:
                print('    ' + line)
            reason = f'; {why}' if why else ''
            print(f'{head} FAILED {seconds:.0f} s ({passed} passed, {failed} failed{reason}; '
                  f'whole output: build/logs/tests/{group.name}.log)', flush=True)

    def run_all(self):
        together = [group for group in self.groups if not group.alone]
        threads = []

        def work():
            while True:
                with self.lock:
                    if not together:
                        return
                    group = together.pop(0)
                self.run_one(group)

        for _ in range(self.workers):
            threads.append(threading.Thread(target=work))
            threads[-1].start()
        for thread in threads:
            thread.join()
        for group in self.groups:
            if group.alone:
                self.run_one(group)


def main(arguments):
    if not arguments or arguments[0] not in ('needs', 'list', 'run'):
        raise SystemExit(__doc__)
    with open(TABLE, encoding='utf-8') as table:
        groups = choose(parse_table(table.read()), arguments[1:])
    if arguments[0] == 'needs':
        print(' '.join(needs_of(groups)))
        return 0
    if arguments[0] == 'list':
        print('\n'.join(group.name for group in groups))
        return 0
    os.makedirs(LOGS, exist_ok=True)
    run = Run(groups, max(1, os.cpu_count() or 1))
    run.run_all()
    if run.failed_groups:
        print('failed groups: ' + ' '.join(run.failed_groups))
    print(f'{run.passed} passed, {run.failed} failed')
    return 1 if run.failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
