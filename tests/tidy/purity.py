"""The core reaches nothing: proved from the object files, natively and in wasm.

Natively: the undefined symbols of an archive, minus what it (and the archives below it) defines,
must match tests/tidy/allowed_symbols.txt. In wasm: so must the imports of the linked module.
"""
import re
import subprocess


def read_patterns(text, section):
    """The patterns of one [section] of the allow list."""
    patterns, current = [], None
    for line in text.splitlines():
        line = line.split('#')[0].strip()
        if line.startswith('['):
            current = line.strip('[]')
        elif line and current == section:
            patterns.append(re.compile(line + r'\Z'))
    return patterns


def symbols_of(nm_output):
    """(defined, undefined) sets of an `nm` listing."""
    defined, undefined = set(), set()
    for line in nm_output.splitlines():
        fields = line.split()
        if len(fields) == 2 and fields[0] in ('U', 'w', 'v'):
            undefined.add(fields[1])
        elif len(fields) == 3:
            defined.add(fields[2])
    return defined, undefined


def reaching(archives, patterns):
    """Symbols that the first archive takes from outside of all archives and may not take."""
    defined, wanted = set(), set()
    for number, archive in enumerate(archives):
        listing = subprocess.run(['nm', archive], check=True, capture_output=True, text=True)
        own, undefined = symbols_of(listing.stdout)
        defined |= own
        if number == 0:
            wanted = undefined
    outside = sorted(wanted - defined)
    return readable([name for name in outside if not any(p.match(name) for p in patterns)])


def readable(names):
    """Mangled names with what they say in C++ behind them."""
    listing = subprocess.run(['c++filt'] + names, check=True, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL) if names else None
    said = listing.stdout.splitlines() if listing else []
    return [name if name == full else f'{name} ({full})' for name, full in zip(names, said)]


def imports_of_wasm(module):
    """(module, field) of every import in the bytes of a wasm module."""
    if module[:8] != b'\0asm\1\0\0\0':
        raise ValueError('not a wasm module of version 1')
    at = 8

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = module[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def name():
        nonlocal at
        size = number()
        at += size
        return module[at - size:at].decode()

    def limits():
        if number() & 1:
            number()
        number()

    while at < len(module):
        section, size = number(), number()
        if section != 2:
            at += size
            continue
        imports = []
        for _ in range(number()):
            imports.append((name(), name()))
            kind = number()
            if kind == 0:
                number()
            elif kind == 1:
                number()
                limits()
            elif kind == 2:
                limits()
            else:
                number()
                number()
        return imports
    return []


_IMPORT_TABLE = re.compile(r'(?:asmLibraryArg|wasmImports)\s*=\s*\{([^}]*)\}')
_IMPORT_ENTRY = re.compile(r'"?([\w$]+)"?\s*:\s*([\w$]+)')


def long_names(javascript):
    """Short import name -> the name in Emscripten's JavaScript; -Oz shortens what it links."""
    table = _IMPORT_TABLE.search(javascript)
    if not table:
        return {}
    return {short: name.lstrip('_') for short, name in _IMPORT_ENTRY.findall(table.group(1))}


def wasm_reaching(wasm, javascript, patterns):
    names = long_names(javascript)
    found = sorted(names.get(field, field) for _, field in imports_of_wasm(wasm))
    return [name for name in found if not any(p.match(name) for p in patterns)]
