// Share: the session as a link, as an element for a page of one's own, and as a frame. Each is
// text in a field, so it can be read, selected and copied without the clipboard's permission.
import { part } from './dom.js';
import { packedLink } from './link.js';

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');

export class ShareDialog {
  constructor(player) {
    this.player = player;
    this.root = player.root;
    this.texts = player.texts;
    this.dialog = part(this.root, 'share');
    for (const name of ['link', 'embed', 'frame']) {
      const button = this.root.querySelector(`[data-act="copy-${name}"]`);
      button.addEventListener('click', () => this.copy(name));
    }
    this.root.querySelector('[data-act="download"]')
      .addEventListener('click', () => this.download());
  }

  async open() {
    const link = await this.address();
    const fields = this.fields();
    part(this.root, 'share-link').value = link ?? this.texts.text('ui.share.too_long');
    part(this.root, 'share-embed').value = this.embed(fields);
    part(this.root, 'share-frame').value = this.frame(fields);
    part(this.root, 'share-status').textContent = '';
    this.dialog.showModal();
  }

  /** The whole address; null where the session is too long for a link. */
  async address() {
    const link = await packedLink(this.player.session.link());
    return link === null ? null : new URL(link, location.href).href;
  }

  /** [name, value] of the attributes that bring this session back. */
  fields() {
    const { session, host } = this.player;
    const link = session.link();
    const fields = [['lesson', session.lesson.id], ['version', String(session.lesson.version)]];
    for (const pair of link.split('/').slice(1).join('/').split('&').filter(Boolean)) {
      const equals = pair.indexOf('=');
      fields.push([pair.slice(0, equals), pair.slice(equals + 1)]);
    }
    const lang = this.texts.lang.slice(0, 2);
    if (lang !== 'en') fields.push(['lang', lang]);
    if (host.theme) fields.push(['theme', host.theme]);
    return fields;
  }

  embed(fields) {
    const script = new URL('hotkv-player.js', import.meta.url).href;
    const attributes = fields.map(([name, value]) => `${name}="${escaped(value)}"`).join(' ');
    return `<script type="module" src="${script}"></script>\n`
      + `<hotkv-player ${attributes} loading="click"></hotkv-player>`;
  }

  frame(fields) {
    const page = new URL('embed.html', import.meta.url);
    const query = fields.map(([name, value]) => {
      // What is written already stays readable; only what a query would read otherwise is escaped.
      return `${name}=${value.replace(/[%&#+"<>]/g, (c) => encodeURIComponent(c))}`;
    }).join('&');
    const title = this.texts.text(`lesson.${this.player.session.lesson.id}.title`);
    return `<iframe src="${escaped(`${page.href}?${query}`)}" title="HotKV: ${escaped(title)}"\n`
      + '  loading="lazy" sandbox="allow-scripts allow-popups"\n'
      + '  allow="clipboard-write; fullscreen" width="100%" height="640"></iframe>';
  }

  async copyLink() {
    const address = await this.address();
    if (address === null) throw new RangeError(this.texts.text('ui.share.too_long'));
    return this.player.controls.copied(address, this.player.texts.text('ui.link.copied'));
  }

  async copy(name) {
    const field = part(this.root, `share-${name}`);
    let said = 'ui.share.copied';
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Not allowed here: it is selected, so the visitor's own copy command does it.
      field.focus({ preventScroll: true });
      field.select();
      said = 'ui.share.selected';
    }
    part(this.root, 'share-status').textContent = this.texts.text(said);
  }

  /** The trace as a file: a session that is too long for a link. */
  download() {
    const { session } = this.player;
    const url = URL.createObjectURL(new Blob([session.trace()], { type: 'application/jsonl' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `hotkv-${session.lesson.id}.jsonl`;
    link.click();
    URL.revokeObjectURL(url);
  }
}
