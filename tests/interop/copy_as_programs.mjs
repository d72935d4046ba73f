// The programs of "Copy as" for a test: reads {lines, port} as JSON, prints {client: program}.
import { readFileSync } from 'node:fs';
import { CLIENTS, copyAs, wordsOf } from '../../web/copy_as.js';

const { lines, port } = JSON.parse(readFileSync(0, 'utf8'));
const commands = lines.map(wordsOf);
const programs = CLIENTS.map(({ id }) => [id, copyAs(id, commands, { port })]);
console.log(JSON.stringify({ commands, programs: Object.fromEntries(programs) }));
