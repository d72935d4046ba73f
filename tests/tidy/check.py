"""Holds the repository to its own rules; each rule is one test.

  check.py [--build DIR] [--wasm DIR]

Reads every file that git knows or would add, the object files of the core in DIR (build/release),
and the page's module in the wasm DIR (build/wasm).
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

import purity  # noqa: E402
import rules  # noqa: E402

TEXT_MAX_BYTES = 1 << 20
SHOWN_PER_RULE = 40


def read(path):
    with open(os.path.join(ROOT, path), 'rb') as file:
        return file.read()


def read_sources():
    listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', '-z'], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout.split('\0')
    sources = []
    for path in sorted(set(filter(None, listed))):
        full = os.path.join(ROOT, path)
        if not os.path.isfile(full) or os.path.getsize(full) > TEXT_MAX_BYTES:
            continue
        content = read(path)
        if b'\0' not in content:
            sources.append(rules.Source(path, content.decode('utf-8', 'replace')))
    return sources


def read_table(name):
    return read(f'tests/tidy/{name}').decode()


def read_ratchet():
    ratchet = {}
    for line in read_table('long_functions.txt').splitlines():
        if line.strip() and not line.startswith('#'):
            path, name, lines = line.split()
            ratchet[f'{path} {name}'] = int(lines)
    return ratchet


def format_rule(sources):
    """C++ is formatted as .clang-format says."""
    files = [source.path for source in sources if source.is_cpp]
    if not files:
        return []
    result = subprocess.run(['clang-format', '--dry-run', '--Werror', '-ferror-limit=1'] + files,
                            cwd=ROOT, capture_output=True, text=True)
    return [line.split(': error:')[0] + ': run clang-format -i on this file'
            for line in result.stderr.splitlines() if ': error:' in line]


def native_purity_rule(build, archive, *below):
    patterns = purity.read_patterns(read_table('allowed_symbols.txt'), 'native')
    paths = [os.path.join(build, name) for name in (archive,) + below]
    for path in paths:
        if not os.path.exists(path):
            return [f'{path} is not built']
    return [f'{archive} reaches for {name}' for name in purity.reaching(paths, patterns)]


def wasm_purity_rule(wasm):
    patterns = purity.read_patterns(read_table('allowed_symbols.txt'), 'wasm')
    stem = os.path.join(wasm, 'hotkv-core')
    if not os.path.exists(stem + '.wasm'):
        return [f'{stem}.wasm is not built']
    with open(stem + '.wasm', 'rb') as module, open(stem + '.js', encoding='utf-8') as script:
        return [f'hotkv-core.wasm imports {name}'
                for name in purity.wasm_reaching(module.read(), script.read(), patterns)]


def all_rules(sources, build, wasm):
    layers = rules.parse_layers(read_table('layers.txt'))
    banned = rules.parse_banned(read_table('banned_words.txt'))
    allowed_names = set(read_table('allowed_names.txt').split('\n'))
    gates = ['scripts', '.ci', 'tests']
    yield 'layers', rules.layers_rule(sources, layers)
    yield 'include paths', rules.include_paths_rule(sources)
    yield 'banned words', rules.banned_words_rule(sources, banned)
    yield 'file length', rules.file_length_rule(sources)
    yield 'function length', rules.function_length_rule(sources, read_ratchet())
    yield 'columns', rules.columns_rule(sources)
    yield 'names', rules.names_rule(sources, allowed_names)
    yield 'machine paths', rules.machine_paths_rule(sources)
    yield 'open ends', rules.todo_rule(sources)
    yield 'headers', rules.headers_rule(sources)
    yield 'code in comments', rules.commented_code_rule(sources)
    yield 'hidden failures', rules.swallowed_failures_rule(sources, gates)
    yield 'line endings', rules.endings_rule(sources)
    yield 'format', format_rule(sources)
    yield 'purity of the core', native_purity_rule(build, 'libhotkv_core.a')
    yield 'purity of the world', native_purity_rule(build, 'libhotkv_sim.a', 'libhotkv_core.a')
    yield 'purity of the wasm', wasm_purity_rule(wasm)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--build', default=os.path.join(ROOT, 'build', 'release'))
    parser.add_argument('--wasm', default=os.path.join(ROOT, 'build', 'wasm'))
    options = parser.parse_args()
    sources = read_sources()
    passed = failed = 0
    for name, found in all_rules(sources, options.build, options.wasm):
        print(f'{name}: ' + ('ok' if not found else f'{len(found)} found'))
        for line in found[:SHOWN_PER_RULE]:
            print('  ' + line)
        passed += not found
        failed += bool(found)
    for lines, path in rules.long_files(sources):
        print(f'note: {path} has {lines} lines (the soft limit is {rules.FILE_LINES_SOFT})')
    print(f'tally: {passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
