"""The rules of the house, each a function from the files to the list of what breaks it.

A file is a `Source`; a violation is one line of text: path:line: what, and what to do instead.
"""
import ast
import os
import re

import cpp_text

CPP = ('.h', '.cc')
CODE = CPP + ('.py', '.js', '.mjs', '.sh', '.cmake')
COLUMNS_MAX = 100
FILE_LINES_SOFT = 400
FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70


class Source:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.extension = os.path.splitext(path)[1]
        self._code = None

    @property
    def is_cpp(self):
        return self.extension in CPP

    @property
    def is_code(self):
        """Written by hand, in a programming language; a script without extension has a #! line."""
        return (self.extension in CODE or self.text.startswith('#!')
                or os.path.basename(self.path) == 'CMakeLists.txt')

    @property
    def code(self):
        """C++ without comments and strings."""
        if self._code is None:
            self._code = cpp_text.without_comments_and_strings(self.text)
        return self._code

    def below(self, folders):
        return any(self.path == f or self.path.startswith(f + '/') for f in folders)


def _line(text, at):
    return text.count('\n', 0, at) + 1


def parse_layers(text):
    layers = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith('#'):
            layer, _, allowed = line.partition(':')
            layers[layer.strip()] = allowed.split()
    return layers


def _layer_of(path, layers):
    fitting = [layer for layer in layers if path.startswith(layer + '/')]
    return max(fitting, key=len) if fitting else None


def layers_rule(sources, layers):
    """Includes follow tests/tidy/layers.txt."""
    found = []
    for source in sources:
        if not source.is_cpp:
            continue
        layer = _layer_of(source.path, layers)
        if layer is None:
            found.append(f'{source.path}:1: its folder is in no layer of tests/tidy/layers.txt')
            continue
        for line, included in cpp_text.includes_of(source.text):
            target = _layer_of(included, layers)
            if target is None or target == layer:
                continue
            if not any(included.startswith(allowed + '/') for allowed in layers[layer]):
                found.append(f'{source.path}:{line}: {layer} may not include {included}')
    return found


def include_paths_rule(sources):
    """Quoted includes name a file from the root of the project."""
    known = {source.path for source in sources}
    found = []
    for source in sources:
        if not source.is_cpp:
            continue
        for line, included in cpp_text.includes_of(source.text):
            if included in known or re.match(r'(gtest|gmock|benchmark|xxhash)', included):
                continue
            found.append(f'{source.path}:{line}: "{included}" is no file of the project; use <> for'
                         ' a library, and the path from the root for our own')
    return found


def parse_banned(text):
    banned = []
    for line in text.splitlines():
        if not line.strip() or line.startswith('#'):
            continue
        folders, rest = line.split(' | ', 1)
        pattern, instead = rest.rsplit(' | ', 1)
        banned.append((folders.split(), re.compile(pattern), instead.strip()))
    return banned


def banned_words_rule(sources, banned):
    """No word of tests/tidy/banned_words.txt in code."""
    found = []
    for source in sources:
        if not source.is_cpp:
            continue
        for folders, pattern, instead in banned:
            excepted = [folder[1:] for folder in folders if folder.startswith('!')]
            if not source.below(folders) or source.below(excepted):
                continue
            for match in pattern.finditer(source.code):
                found.append(f'{source.path}:{_line(source.code, match.start())}: '
                             f'{match.group(0).strip()!r} is banned here; use: {instead}')
    return found


def file_length_rule(sources):
    """No code file above 600 lines."""
    return [f'{s.path}:1: {n} lines; the limit is {FILE_LINES_MAX}' for s in sources if s.is_code
            for n in [s.text.count('\n')] if n > FILE_LINES_MAX]


def long_files(sources):
    """Files above the soft limit: reported, not failed."""
    return sorted(((s.text.count('\n'), s.path) for s in sources
                   if s.is_code and s.text.count('\n') > FILE_LINES_SOFT), reverse=True)


def _python_functions(text):
    return [(node.name, node.lineno, node.end_lineno - node.lineno + 1)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _is_python(source):
    return source.extension == '.py' or re.match(r'#!.*python', source.text)


def function_length_rule(sources, ratchet):
    """No function above 70 lines, but those of the ratchet, which may only shrink."""
    found = []
    for source in sources:
        if source.is_cpp:
            functions = cpp_text.functions_of(source.text)
        elif _is_python(source):
            functions = _python_functions(source.text)
        else:
            continue
        for name, line, lines in functions:
            limit = ratchet.get(f'{source.path} {name}', FUNCTION_LINES_MAX)
            if lines > limit:
                found.append(f'{source.path}:{line}: {name} has {lines} lines; '
                             f'the limit is {limit}')
    return found


def columns_rule(sources):
    """No line of code above 100 columns."""
    found = []
    for source in sources:
        if not source.is_code or source.path == 'tests/tidy/layers.txt':
            continue
        for number, line in enumerate(source.text.split('\n'), 1):
            if len(line) > COLUMNS_MAX and 'http' not in line and '#include' not in line:
                found.append(f'{source.path}:{number}: {len(line)} columns; '
                             f'the limit is {COLUMNS_MAX}')
    return found


BANNED_NAME_WORDS = {'util', 'utils', 'utility', 'utilities', 'common', 'helper', 'helpers',
                     'manager', 'managers', 'misc', 'impl', 'info', 'handle'}
_TYPE_NAME = re.compile(
    r'\b(?:class|struct|union|enum class|enum)\s+([A-Za-z]\w*)\s*(?:final\s*)?[:{]')


def _words(name):
    return [word.lower() for word in re.findall(r'[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+', name)]


def names_rule(sources, allowed):
    """No file or type named after nothing: util, helper, manager ...."""
    found = []
    for source in sources:
        stem = os.path.splitext(os.path.basename(source.path))[0]
        folders = os.path.dirname(source.path).split('/')
        for part in folders + [stem]:
            bad = BANNED_NAME_WORDS.intersection(_words(part))
            if bad and source.is_code and part not in allowed:
                found.append(f'{source.path}:1: the name says {sorted(bad)[0]!r}; '
                             'name what it does')
        if not source.is_cpp:
            continue
        for match in _TYPE_NAME.finditer(source.code):
            bad = BANNED_NAME_WORDS.intersection(_words(match.group(1)))
            if bad and match.group(1) not in allowed:
                found.append(f'{source.path}:{_line(source.code, match.start(1))}: type '
                             f'{match.group(1)} says {sorted(bad)[0]!r}; name what it is')
    return found


# Spelled in pieces, so that this file does not break its own rule.
_MACHINE_PATH = re.compile('(?<![\\w.$}/])/(' + '|'.join(
    ['ho' + 'me', 'ro' + 'ot', 'wo' + 'rk', 'Us' + 'ers', 'tmp/' + 'wt', 'tmp/' + 'brief']) + ')/')


def machine_paths_rule(sources):
    """No path of somebody's machine in any file."""
    return [f'{s.path}:{_line(s.text, m.start())}: {m.group(0)} is a path of one machine'
            for s in sources for m in _MACHINE_PATH.finditer(s.text)]


_TODO = re.compile(r'\b(TO' + r'DO|FIX' + r'ME|XX' + r'X|HA' + r'CK)\b(?!\s*\(#\d+\))')


def todo_rule(sources):
    """An open end names its issue: (#N)."""
    return [f'{s.path}:{_line(s.text, m.start())}: {m.group(1)} without an issue, as in (#12)'
            for s in sources if s.is_code for m in _TODO.finditer(s.text)]


def headers_rule(sources):
    """A header opens with a comment that says what it is, and has #pragma once."""
    found = []
    for source in sources:
        if source.extension != '.h':
            continue
        if not source.text.startswith('//'):
            found.append(f'{source.path}:1: must open with a comment: what it is, why, its limits')
        if '#pragma once' not in source.text:
            found.append(f'{source.path}:1: #pragma once is missing')
    return found


_COMMENTED_CODE = re.compile(
    r'^[ \t]*//\s*(?:return\b.*;|if \(.*\)\s*\{|\}|for \(.*\)\s*\{|#include.*'
    r'|\w+\(.*\);|\w+ = .*;)\s*$', re.M)


def commented_code_rule(sources):
    """No code in comments."""
    return [f'{s.path}:{_line(s.text, m.start())}: code in a comment'
            for s in sources if s.is_cpp for m in _COMMENTED_CODE.finditer(s.text)]


_SWALLOWED = re.compile(r'\|\|\s*(?:true|:)\s*$', re.M)


def swallowed_failures_rule(sources, gates):
    """No gate hides a failure."""
    return [f'{s.path}:{_line(s.text, m.start())}: a gate may not end in {m.group(0).strip()!r}'
            for s in sources if s.below(gates) for m in _SWALLOWED.finditer(s.text)]


def endings_rule(sources):
    """Text ends with one newline; no trailing blanks, tabs or carriage returns in code."""
    found = []
    for source in sources:
        if not source.is_code or not source.text:
            continue
        if not source.text.endswith('\n') or source.text.endswith('\n\n'):
            found.append(f'{source.path}:1: must end with exactly one newline')
        for match in re.finditer(r'[ \t\r]+$|\t', source.text, re.M):
            line = _line(source.text, match.start())
            found.append(f'{source.path}:{line}: trailing blank or tab')
    return found
