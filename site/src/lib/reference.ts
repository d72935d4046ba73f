// The tables of the reference, as docgen prints them from the engine.
export const tables = ['commands', 'options', 'metrics', 'events'];

export type Command = {
  name: string;
  syntax: string;
  summary: string;
  since: string;
  group: string;
  complexity: string;
  flags: string[];
  arguments: Argument[];
};
export type Argument = {
  name: string;
  type: string;
  token?: string;
  optional?: boolean;
  multiple?: boolean;
  arguments?: Argument[];
};
export type Option = {
  name: string;
  type: string;
  default: string;
  summary: string;
  at_run_time: boolean;
  choices?: string[];
  least?: number;
  greatest?: number;
};
export type Metric = {
  section: string;
  field: string;
  kind: string;
  summary: string;
  prometheus?: string;
};
export type TraceEvent = { name: string; kind: string; fields: { name: string; type: string }[] };

export const anchorOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The rows by a field, groups and rows in the order of their names. */
export function grouped<Row extends object>(rows: Row[], by: (row: Row) => string) {
  const groups = [...new Set(rows.map(by))].sort();
  return groups.map((name) => ({ name, rows: rows.filter((row) => by(row) === name) }));
}
