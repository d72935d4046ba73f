// What the pages are made from besides their texts: the engine's own tables and transcripts.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { LANGUAGES } from '../src/lib/texts.mjs';
import { askedInSteps, commandsOf, lessonOf } from './lesson_file.mjs';

export function run(root, program, ...words) {
  try {
    return execFileSync(path.join(root, program), words, {
      cwd: root, encoding: 'utf8', maxBuffer: 1 << 26,
    });
  } catch (error) {
    throw new Error(`${program} ${words.join(' ')}: ${error.stderr || error.message}`);
  }
}

/** The commit that the engine was built from; a checkout without git has the version alone. */
function commitOf(root, version) {
  try {
    return execFileSync('git', ['-C', root, 'rev-parse', '--short=7', 'HEAD'], {
      encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return version;
  }
}

export function buildOf(root) {
  const cmake = fs.readFileSync(path.join(root, 'CMakeLists.txt'), 'utf8');
  const version = /project\(HotKV VERSION (\S+)/.exec(cmake)[1];
  return { version, id: commitOf(root, version) };
}

/** Every lesson file: {file, text} and what its head and its transcript say. */
export function lessonsOf(root) {
  const folder = 'assets/lessons';
  const texts = LANGUAGES.map((language) =>
    JSON.parse(fs.readFileSync(path.join(root, `assets/i18n/${language}.json`), 'utf8')));
  const lessons = {};
  for (const name of fs.readdirSync(path.join(root, folder)).sort()) {
    if (!name.endsWith('.scenario')) continue;
    const text = fs.readFileSync(path.join(root, folder, name), 'utf8');
    const lesson = lessonOf(text);
    const keys = lesson.steps.map((step) => `lesson.${lesson.id}.step.${step}.title`);
    const isTold = texts.every((table) =>
      [`lesson.${lesson.id}.title`, ...keys].every((key) => key in table));
    if (!isTold) {
      console.log(`site: lesson ${lesson.id} has no texts in assets/i18n yet; it gets no page`);
      continue;
    }
    const transcript = run(
      root, 'build/release/hotkv-sim', '--scenario', `${folder}/${name}`, '--transcript');
    const commands = commandsOf(transcript);
    const asked = askedInSteps(transcript);
    lessons[lesson.id] = { ...lesson, file: name, text, transcript, commands, asked };
  }
  return lessons;
}

export function referenceOf(root) {
  return JSON.parse(run(root, 'build/release/hotkv-docgen'));
}
