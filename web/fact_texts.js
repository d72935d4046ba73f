// The facts of the engine (web/view/facts.h) in the words of a language. What the wire carried and
// what roles are called stays English; numbers and units are written as the language writes them.

/** "830 µs", "12.4 ms", "29.98 s": three or four figures. */
export function timeText(texts, us) {
  const size = Math.abs(us);
  const rounded = (value, places) => texts.number(Number(value.toFixed(places)));
  if (size < 1000) return `${texts.number(us)} µs`;
  if (size < 1e6) return `${rounded(us / 1000, size < 1e5 ? 1 : 0)} ms`;
  return `${rounded(us / 1e6, size < 1e8 ? 2 : 0)} s`;
}

/** Whether a value stays as it is in every language. */
export const isWire = ({ form }) => form === 'text' || form === 'dump';

/** A name of the engine's that has no word in the language's table shows as it is. */
const word = (texts, key, name) => (texts.has(key) ? texts.text(key) : name);

export const kindText = (texts, kind) => word(texts, `fact.kind.${kind}`, kind);
export const sectionText = (texts, { name }) => word(texts, `fact.section.${name}`, name);
export const nameText = (texts, { name }) => word(texts, `fact.${name}`, name);

export function valueText(texts, fact) {
  const { form, value } = fact;
  if (form === 'time') return timeText(texts, Number(value));
  if (form === 'count') return texts.number(Number(value));
  if (form === 'bytes') return `${texts.number(Number(value))} B`;
  if (form === 'word') return word(texts, `fact.is.${value}`, value);
  return form === 'dump' ? escaped(fact.resp) : value;
}

/** Bytes (a character each) as text: what cannot be seen is escaped, a line ends after \r\n. */
export function escaped(bytes) {
  const names = { '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' };
  const hex = (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return bytes.replace(/[^ -[\]-~]/g, (c) => names[c] ?? hex(c)).replace(/\\r\\n(?=.)/g, '$&\n');
}

/** Bytes as hexadecimal numbers, eight a line. */
export function hexadecimal(bytes) {
  const pairs = Array.from(bytes, (c) => c.charCodeAt(0).toString(16).padStart(2, '0'));
  const lines = [];
  while (pairs.length > 0) lines.push(pairs.splice(0, 8).join(' '));
  return lines.join('\n');
}
