// The suites of the browser tests, and the files of checks (NAME_checks.mjs) that make up each. A
// suite is a group of tests/groups.txt: browser-<suite>.
import * as fs from 'node:fs';

export const SUITES = {
  oracle: ['oracle', 'oracle_lessons'],
  back: ['back', 'back_lessons'],
  script: ['script', 'script_lessons'],
  console: ['console', 'console_keys'],
  faults: ['faults', 'faults_lessons'],
  manners: ['manners', 'hosts'],
  idle: ['idle'],
  access: ['access', 'keyboard'],
  'access-pages': ['access_pages'],
  pixels: ['pixels', 'canvas', 'theme'],
  languages: ['languages', 'languages_shown'],
  budgets: ['budgets'],
  docs: ['docs', 'pages', 'sources', 'workload', 'attributes', 'cls', 'crawl'],
};

/** The addresses of the files of these suites; a file of no suite is a check that nobody runs. */
export function filesOf(suites) {
  const known = Object.values(SUITES).flat();
  const there = fs.readdirSync(import.meta.dirname).filter((name) => /_checks\.mjs$/.test(name));
  const orphans = there.filter((name) => !known.includes(name.replace('_checks.mjs', '')));
  if (orphans.length > 0) throw new Error(`in no suite of suites.mjs: ${orphans}`);
  return suites.flatMap((suite) => SUITES[suite]).map((name) => `./${name}_checks.mjs`);
}
