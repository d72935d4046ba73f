// The programs of "Copy as" for a test: reads {lines, port} as JSON, prints {commands, programs},
// the program of each client. Reads {transcript} and prints the lines of its steps, as on pages.
import { readFileSync } from 'node:fs';
import { askedInSteps } from '../../site/parts/lesson_file.mjs';
import { CLIENTS, copyAs, wordsOf } from '../../web/copy_as.js';

const { lines, port, transcript } = JSON.parse(readFileSync(0, 'utf8'));
if (transcript !== undefined) {
  const steps = Object.values(askedInSteps(transcript)).map((step) => step.commands);
  console.log(JSON.stringify(steps));
} else {
  const commands = lines.map(wordsOf);
  const programs = CLIENTS.map(({ id }) => [id, copyAs(id, commands, { port })]);
  console.log(JSON.stringify({ commands, programs: Object.fromEntries(programs) }));
}
