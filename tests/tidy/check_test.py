"""Tests of the linter itself: every rule must catch what it is for, and let pass what is right."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.dirname(HERE))

import check  # noqa: E402
import cpp_text  # noqa: E402
import purity  # noqa: E402
import rules  # noqa: E402
import run_groups  # noqa: E402

LAYERS = rules.parse_layers(
    '# who may include whom\n'
    'core/base:\ncore/data: core/base\ncore/sim: core\nnative: core/base\ntests: core native\n')


def sources(path, text):
    return [rules.Source(path, text)]


class LayersTest(unittest.TestCase):
    def found(self, path, included):
        return rules.layers_rule(sources(path, f'#include "{included}"\n'), LAYERS)

    def test_a_lower_layer_may_be_included(self):
        self.assertEqual(self.found('core/data/a.cc', 'core/base/b.h'), [])

    def test_the_own_layer_may_be_included(self):
        self.assertEqual(self.found('core/data/a.cc', 'core/data/b.h'), [])

    def test_a_higher_layer_may_not(self):
        self.assertEqual(self.found('core/base/a.cc', 'core/data/b.h'),
                         ['core/base/a.cc:1: core/base may not include core/data/b.h'])

    def test_nothing_includes_tests(self):
        self.assertEqual(len(self.found('core/sim/a.cc', 'tests/x.h')), 1)

    def test_a_prefix_is_not_a_folder(self):
        self.assertEqual(len(self.found('native/a.cc', 'core/data/b.h')), 1)

    def test_an_unknown_folder_is_reported(self):
        self.assertEqual(len(self.found('extra/a.cc', 'core/base/b.h')), 1)


class BannedWordsTest(unittest.TestCase):
    def setUp(self):
        self.banned = rules.parse_banned(check.read_table('banned_words.txt'))

    def found(self, path, text):
        return rules.banned_words_rule(sources(path, text), self.banned)

    def test_each_word_of_the_design_is_caught(self):
        for code in ('std::chrono::seconds s;', '#include <thread>', 'std::mutex m;',
                     'std::atomic<int> a;', 'std::function<void()> f;',
                     'std::unordered_map<int, int> m;', 'std::hash<int> h;',
                     'std::uniform_int_distribution<int> d;', 'int x = rand();',
                     'auto t = time(nullptr);', 'long double x;', '#include <iostream>'):
            self.assertEqual(len(self.found('core/node/a.cc', code)), 1, code)

    def test_virtual_is_banned_in_some_layers_only(self):
        self.assertEqual(len(self.found('core/data/a.h', 'virtual void f();')), 1)
        self.assertEqual(self.found('core/node/a.h', 'virtual void f();'), [])

    def test_comments_and_strings_do_not_count(self):
        text = '// std::mutex\n/* rand( */ const char* s = "time(0) \\" rand()"; char c = \'"\';\n'
        self.assertEqual(self.found('core/node/a.cc', text), [])

    def test_the_one_place_of_a_word(self):
        self.assertEqual(self.found('core/base/doubles.cc', 'x = strtod(s, &e);'), [])
        self.assertEqual(len(self.found('core/base/numbers.cc', 'x = strtod(s, &e);')), 1)

    def test_native_may_use_threads(self):
        self.assertEqual(self.found('native/a.cc', 'std::thread t;'), [])

    def test_names_that_contain_a_word_pass(self):
        text = 'uint64_t expire_time(Key k); int x = strand(1); Entry* random(Random& r);'
        self.assertEqual(self.found('core/data/a.cc', text), [])


class TextTest(unittest.TestCase):
    def test_lines_stay_where_they_are(self):
        text = 'a /* b\nc */ d\n// e\nR"x(\n"f"\n)x" g\n'
        code = cpp_text.without_comments_and_strings(text)
        self.assertEqual(code.count('\n'), text.count('\n'))
        self.assertEqual(code.split(), ['a', 'd', 'R"', '"', 'g'])

    def test_digit_separators_are_no_characters(self):
        code = cpp_text.without_comments_and_strings("int a = 1'000'000; // '\nint b;")
        self.assertIn("1'000'000;", code)
        self.assertIn('int b;', code)

    def test_functions_are_measured(self):
        text = ('namespace hotkv {\nclass A {\n  int f() const { return 1; }\n};\n'
                'int g(int a,\n      int b) {\n  if (a) {\n    return b;\n  }\n  return a;\n}\n}\n')
        self.assertEqual(cpp_text.functions_of(text), [('f', 3, 1), ('g', 5, 7)])

    def test_a_constructor_with_braces_in_its_list(self):
        text = 'A::A(int b)\n    : b_{b}, c_(1), d_{2} {\n  run();\n}\nvoid h() {\n}\n'
        self.assertEqual(cpp_text.functions_of(text), [('A::A', 1, 4), ('h', 5, 2)])

    def test_tables_are_no_functions(self):
        text = 'constexpr Row kRows[] = {\n  {"a", f(1)},\n};\nauto g() -> int {\n  return 1;\n}\n'
        self.assertEqual(cpp_text.functions_of(text), [('g', 4, 3)])


class LimitsTest(unittest.TestCase):
    def test_file_length(self):
        self.assertEqual(rules.file_length_rule(sources('a.cc', 'x\n' * 600)), [])
        self.assertEqual(len(rules.file_length_rule(sources('a.cc', 'x\n' * 601))), 1)
        self.assertEqual(rules.file_length_rule(sources('a.json', 'x\n' * 601)), [])

    def test_function_length_and_its_ratchet(self):
        long = sources('a.cc', 'void f() {\n' + '  g();\n' * 69 + '}\n')
        self.assertEqual(len(rules.function_length_rule(long, {})), 1)
        self.assertEqual(rules.function_length_rule(long, {'a.cc f': 71}), [])
        fits = sources('a.cc', 'void f() {\n' + '  g();\n' * 68 + '}\n')
        self.assertEqual(rules.function_length_rule(fits, {}), [])
        python = sources('a.py', 'def f():\n' + '    g()\n' * 70)
        self.assertEqual(len(rules.function_length_rule(python, {})), 1)

    def test_columns(self):
        self.assertEqual(rules.columns_rule(sources('a.cc', 'x' * 100 + '\n')), [])
        self.assertEqual(len(rules.columns_rule(sources('a.cc', 'x' * 101 + '\n'))), 1)


class WordsTest(unittest.TestCase):
    def test_banned_names(self):
        self.assertEqual(len(rules.names_rule(sources('core/base/string_util.h', '//'), set())), 1)
        self.assertEqual(len(rules.names_rule(sources('a.h', 'class LinkManager {};'), set())), 1)
        self.assertEqual(len(rules.names_rule(sources('a.h', 'struct KeyInfo {'), set())), 1)
        self.assertEqual(rules.names_rule(sources('a.h', 'struct KeyInfo {'), {'KeyInfo'}), [])
        self.assertEqual(rules.names_rule(sources('a.h', 'class Utility2Belt;'), set()), [])

    def test_machine_paths(self):
        for path in ('/ho' + 'me/x/y', '"/ro' + 'ot/z"', 'see /tm' + 'p/wt/a'):
            self.assertEqual(len(rules.machine_paths_rule(sources('a.md', path))), 1, path)
        other = ('core/ho' + 'me/x', '$HOME/ho' + 'me/x', 'https://a.b/wo' + 'rk/x', '/usr/include/x')
        for path in other:
            self.assertEqual(rules.machine_paths_rule(sources('a.md', path)), [], path)

    def test_open_ends_name_their_issue(self):
        self.assertEqual(len(rules.todo_rule(sources('a.cc', '// TO' 'DO: later'))), 1)
        self.assertEqual(rules.todo_rule(sources('a.cc', '// TO' 'DO(#12): later')), [])

    def test_headers(self):
        self.assertEqual(len(rules.headers_rule(sources('a.h', 'int f();\n'))), 2)
        self.assertEqual(rules.headers_rule(sources('a.h', '// What.\n#pragma once\n')), [])

    def test_code_in_comments(self):
        self.assertEqual(len(rules.commented_code_rule(sources('a.cc', '  // run(x);\n'))), 1)
        self.assertEqual(rules.commented_code_rule(sources('a.cc', '  // It calls run(x);\n')), [])

    def test_hidden_failures(self):
        hidden = sources('scripts/a', 'make test || ' + 'true\n')
        self.assertEqual(len(rules.swallowed_failures_rule(hidden, ['scripts'])), 1)

    def test_line_endings(self):
        self.assertEqual(rules.endings_rule(sources('a.cc', 'a\n')), [])
        for text in ('a', 'a\n\n', 'a \n', 'a\tb\n', 'a\r\n'):
            self.assertEqual(len(rules.endings_rule(sources('a.cc', text))), 1, repr(text))

    def test_include_paths(self):
        self.assertEqual(len(rules.include_paths_rule(sources('a.cc', '#include "b.h"\n'))), 1)
        self.assertEqual(rules.include_paths_rule(sources('a.cc', '#include "gtest/gtest.h"\n')), [])


class PurityTest(unittest.TestCase):
    LISTING = ('\na.o:\n                 U memcpy\n                 U socket\n'
               '0000000000000000 T _ZN5hotkv1fEv\n                 U _ZN5hotkv1fEv\n'
               '                 w __cxa_finalize\n')

    def test_symbols_of_a_listing(self):
        defined, undefined = purity.symbols_of(self.LISTING)
        self.assertEqual(defined, {'_ZN5hotkv1fEv'})
        self.assertEqual(undefined, {'memcpy', 'socket', '_ZN5hotkv1fEv', '__cxa_finalize'})

    def test_the_world_is_not_on_the_allow_list(self):
        allowed = purity.read_patterns(check.read_table('allowed_symbols.txt'), 'native')
        for name in ('socket', 'open', 'read', 'write', 'clock_gettime', 'gettimeofday', 'time',
                     'pthread_create', 'getrandom', 'rand', 'fopen', 'printf', 'getenv', 'usleep',
                     '_ZNSt6chrono3_V212system_clock3nowEv', '_ZNSt13random_device9_M_getvalEv',
                     '_ZSt4cout', '__cxa_throw', 'memcpyx'):
            self.assertFalse(any(p.match(name) for p in allowed), name)
        for name in ('memcpy', '_Znwm', '_ZdlPvm', 'pow', 'abort', 'strlen', 'free'):
            self.assertTrue(any(p.match(name) for p in allowed), name)

    def test_imports_of_a_module(self):
        # Written by hand from the binary format: a type section, then two imports from "a".
        types = b'\x01\x04\x01\x60\x00\x00'
        body = b'\x02' + b'\x01a\x01b\x00\x00' + b'\x01a\x01c\x02\x01\x01\x10'
        module = b'\0asm\1\0\0\0' + types + b'\x02' + bytes([len(body)]) + body
        self.assertEqual(purity.imports_of_wasm(module), [('a', 'b'), ('a', 'c')])
        script = 'var asmLibraryArg={"b":_emscripten_resize_heap,"c":_fd_write};'
        allowed = purity.read_patterns(check.read_table('allowed_symbols.txt'), 'wasm')
        self.assertEqual(purity.wasm_reaching(module, script, allowed), ['fd_write'])


class GroupsTest(unittest.TestCase):
    def test_tallies(self):
        self.assertEqual(run_groups.tally_of('x\ntally: 3 passed, 0 failed\n', 0), (3, 0, ''))
        self.assertEqual(run_groups.tally_of('tally: 3 passed, 2 failed\n', 1)[:2], (3, 2))

    def test_a_lie_or_a_crash_is_a_failure(self):
        self.assertEqual(run_groups.tally_of('tally: 3 passed, 0 failed\n', 1)[:2], (3, 1))
        self.assertEqual(run_groups.tally_of('Segmentation fault\n', 139)[:2], (0, 1))
        self.assertEqual(run_groups.tally_of('tally: 0 passed, 0 failed\n', 0)[:2], (0, 1))

    def test_needs_are_merged(self):
        groups = run_groups.parse_table(
            '# groups\na | release:x,y | true\nb! | release:y,z wasm | true\nc | | true\n')
        self.assertEqual(run_groups.needs_of(groups), ['release:x,y,z', 'wasm'])
        self.assertEqual([g.alone for g in groups], [False, True, False])

    def test_everything_covers_some_targets(self):
        groups = run_groups.parse_table('a | asan:x | true\nb | asan | true\n')
        self.assertEqual(run_groups.needs_of(groups), ['asan'])


if __name__ == '__main__':
    result = unittest.main(exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors) + len(result.skipped)
    sys.stderr.flush()
    print(f'tally: {result.testsRun - failed} passed, {failed} failed', flush=True)
    sys.exit(1 if failed else 0)
