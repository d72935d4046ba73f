"""Reads C++ well enough for the rules: code without comments and strings, functions, includes."""
import re

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
TOKEN = re.compile(
    r'R"(?P<delimiter>[^\s()\\]{0,16})\((?s:.*?)\)(?P=delimiter)"'  # raw string
    r'|//[^\n]*'
    r'|/\*(?s:.*?)\*/'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.MULTILINE)


def _blank(text):
    return re.sub(r'[^\n]', ' ', text)


def without_comments_and_strings(text):
    """The same text, line for line, with the inside of comments, strings and characters blanked."""
    def replace(match):
        token = match.group(0)
        if token.startswith('/'):
            return _blank(token)
        opening = token.index('"') if '"' in token[:2] else 0
        return token[:opening + 1] + _blank(token[opening + 1:-1]) + token[-1]
    # Include lines keep their path: it looks like a string.
    lines = text.split('\n')
    includes = {i: line for i, line in enumerate(lines) if re.match(r'\s*#\s*include', line)}
    code = TOKEN.sub(replace, text).split('\n')
    for i, line in includes.items():
        code[i] = line.split('//')[0]
    return '\n'.join(code)


def includes_of(text):
    """(line number, path) of every #include with quotes."""
    return [(text.count('\n', 0, match.start(1)) + 1, match.group(1))
            for match in INCLUDE.finditer(text)]


def _without_preprocessor(code):
    lines = code.split('\n')
    continued = False
    for i, line in enumerate(lines):
        directive = continued or line.lstrip().startswith('#')
        continued = directive and line.rstrip().endswith('\\')
        if directive:
            lines[i] = ''
    return '\n'.join(lines)


_SCOPE = re.compile(r'\b(namespace|class|struct|union|enum|extern)\b')
_AFTER_PARAMETERS = re.compile(r'\)\s*((const|noexcept|override|final|mutable|try|&&?)\s*)*$')
_TRAILING_RETURN = re.compile(r'\)[^()]*->[^(){}]*$')


def _kind_of_brace(header):
    """What a `{` after `header`, outside of any function, opens: function, scope or value."""
    if '(' in header:
        if _AFTER_PARAMETERS.search(header) or _TRAILING_RETURN.search(header):
            return 'function'
        if re.search(r'\)\s*(requires\b[^{]*|noexcept\s*\(.*\)\s*)$', header):
            return 'function'
        if re.search(r'\)\s*(noexcept\s*)?:', header):
            return 'value'  # `: member_{...}` of a constructor
    if _SCOPE.search(header) and '=' not in header.split('{')[0].replace('==', ''):
        return 'scope'
    return 'value'


def _closing(code, at):
    depth = 0
    for i in range(at, len(code)):
        if code[i] == '{':
            depth += 1
        elif code[i] == '}':
            depth -= 1
            if depth == 0:
                return i
    return len(code) - 1


_NAME = re.compile(r'([\w:~]+|operator\s*\S+)\s*\(')


def functions_of(text):
    """(name, first line, line count) of every function body; lambdas belong to their function."""
    code = _without_preprocessor(without_comments_and_strings(text))
    functions = []
    start = 0
    i = 0
    while i < len(code):
        c = code[i]
        if c == ';' or c == '}':
            start = i + 1
        elif c == '{':
            header = code[start:i]
            kind = _kind_of_brace(header)
            if kind == 'scope':
                start = i + 1
            else:
                end = _closing(code, i)
                if kind == 'function':
                    first = start + len(header) - len(header.lstrip())
                    name = _NAME.search(header)
                    first_line = code.count('\n', 0, first) + 1
                    last_line = code.count('\n', 0, end) + 1
                    functions.append((name.group(1) if name else '?', first_line,
                                      last_line - first_line + 1))
                    start = end + 1
                # A value keeps its header: a constructor's body may still follow it.
                elif code[end + 1:end + 2] != '' and header.strip() and '(' in header:
                    code = code[:i] + _blank(code[i:end + 1]) + code[end + 1:]
                    code = code[:end] + ')' + code[end + 1:]
                i = end
        i += 1
    return functions
