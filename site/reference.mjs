// The reference: every command that the engine knows, by group, from its own table.
import { html } from './texts.mjs';

/** commands: [{name, syntax, summary, since, group}]. */
export function referencePage(texts, commands) {
  const groups = [...new Set(commands.map((command) => command.group))].sort();
  return html`<div class="hero">
      <h1>${texts.plain('reference.title')}</h1>
      <p class="tagline">${texts.plain('reference.lead', { n: commands.length })}</p>
      <ul class="groups" lang="en" translate="no">
        ${groups.map((group) => html`<li><a href="#${group}">${group}</a></li>`)}
      </ul>
    </div>
    ${groups.map((group) => groupSection(texts, group, commands))}`;
}

function groupSection(texts, group, commands) {
  const members = commands
    .filter((command) => command.group === group)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return html`<section class="prose" aria-labelledby="${group}">
    <h2 id="${group}" lang="en" translate="no">${group}</h2>
    <dl class="commands" lang="en" translate="no">
      ${members.map(
        ({ name, syntax, summary, since }) => html`<div
          id="${name.toLowerCase().replace(' ', '-')}"
        >
          <dt>${syntax}</dt>
          <dd>
            ${summary}
            <span class="since" lang="${texts.lang}"
              >${texts.plain('reference.since', { version: since })}</span
            >
          </dd>
        </div>`,
      )}
    </dl>
  </section>`;
}
