// "Try it on your own workload": a field that holds the page's commands, or what a visitor pastes
// there; a sandbox below it, which comes when it is wanted, runs them, each after the reply before.
import { h } from './dom.js';
import { formatted } from './texts.js';
import { workloadOf } from './workload.js';

const ROWS = 8;
// So many commands, then the page may answer its visitor.
const TURN = 10;

/** box: its data-workload are the commands, other data-* the words; its content goes. */
export function offerWorkload(box) {
  const { dataset } = box;
  const player = h('hotkv-player.sandbox', {
    lesson: 'sandbox', loading: 'click', panels: 'stage,transcript',
  });
  const field = h('textarea', {
    id: 'workload', rows: ROWS, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
    lang: 'en', translate: 'no',
  });
  field.value = dataset.workload;
  const run = h('button.call', { type: 'submit' }, dataset.run);
  const said = h('p.note', { role: 'status' });
  const form = h('form.workload', {}, h('label', { for: field.id }, dataset.label), field,
    h('p.workload-end', {}, run, said));
  box.replaceChildren(form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    run.disabled = true;
    if (!player.isConnected) box.append(player);
    said.textContent = dataset.runs;
    said.textContent = await played(player, field.value, dataset);
    run.disabled = false;
  });
}

/** Runs the text in the player; what is to be said of it. */
async function played(player, text, words) {
  try {
    await player.activate();
    const { clients, nodes } = player.session.lesson;
    const { commands, total } = workloadOf(text, clients.map(({ id }) => id));
    if (total === 0) return words.none;
    await player.act('', 'lesson');
    await player.seek({ step: 0 });
    for (const [i, { client, line }] of commands.entries()) {
      if (i % TURN === 0) await new Promise(requestAnimationFrame);
      await player.exec(client, nodes[0].id, line);
    }
    const key = total > commands.length ? 'limited' : 'ran';
    const { lang } = document.documentElement;
    return formatted(JSON.parse(words[key]), { n: commands.length, total }, lang);
  } catch (error) {
    return String(error.message ?? error);
  }
}
