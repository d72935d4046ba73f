// What every page of the site may ask: the data of this build, the texts, the addresses.
import { existsSync, readFileSync } from 'node:fs';
import { Texts } from './texts.mjs';

export type Lesson = {
  id: string;
  version: number;
  seed: string;
  steps: string[];
  transcript: string;
  commands: string[];
  asked: Record<string, { commands: string[]; clients: number; nodes: number }>;
};

const data = JSON.parse(readFileSync(process.env.HOTKV_SITE_DATA!, 'utf8'));

/** The project's folder. */
export const root: string = data.root;
export const build: { id: string; version: string } = data.build;
export const lessons: Record<string, Lesson> = data.lessons;
export const reference = data.reference;
/** The line of the engine that answers a command, and where to read it. */
export const sources: Record<string, string> = data.sources;
export const sourceBase: string = data.source;

export type Language = { file: string; lang: string; locale: string | undefined; path: string };
export const LANGUAGES: Language[] = [
  { file: 'en', lang: 'en', locale: undefined, path: '' },
  { file: 'ro', lang: 'ro', locale: 'ro', path: 'ro/' },
  { file: 'zh', lang: 'zh-CN', locale: 'zh-cn', path: 'zh-cn/' },
];

export function languageOf(locale: string | undefined): Language {
  return LANGUAGES.find((one) => one.locale === locale) ?? LANGUAGES[0];
}

const loaded = new Map<string, Texts>();

/** The texts of a language: the player's and those of the site's pages. */
export function textsOf(language: Language): Texts {
  if (!loaded.has(language.file)) loaded.set(language.file, new Texts(data.root, language.file));
  return loaded.get(language.file)!;
}

const isWritten = (page: string) => existsSync(`${data.root}/site/src/texts/en/${page}.json`);

/** The use cases in the order in which they are told, those that have a lesson and a text. */
export const useCases = [
  { page: 'locks', lesson: 'lock' },
  { page: 'stampede', lesson: 'stampede' },
  { page: 'fencing', lesson: 'fencing' },
  { page: 'redlock', lesson: 'redlock' },
].filter(({ page, lesson }) => lesson in lessons && isWritten(page));

const base = import.meta.env.BASE_URL.replace(/\/?$/, '/');

/** address('locks/', ro) -> '/ro/locks/' below the base of this build. */
export function address(page: string, language?: Language): string {
  return `${base}${language?.path ?? ''}${page}`;
}

/** Whether a page brings its own head and uses the whole width: home, use cases, not found. */
export function isOwnPage(slug: string): boolean {
  const page = LANGUAGES.reduce((rest, { locale }) => {
    return locale && (rest === locale || rest.startsWith(`${locale}/`))
      ? rest.slice(locale.length + 1)
      : rest;
  }, slug.replace(/^index$/, ''));
  return page === '' || page === '404' || useCases.some((one) => one.page === page);
}

const OWN_COMMANDS_MAX = 8;

/** The different commands of a lesson that any server of ours knows, the first few of them. */
export function ownCommands(lesson: Lesson): string[] {
  const known = new Set(reference.commands.map(({ name }: { name: string }) => name));
  const fit = lesson.commands.filter((command) => known.has(command.split(' ')[0]));
  return [...new Set(fit)].slice(0, OWN_COMMANDS_MAX);
}
