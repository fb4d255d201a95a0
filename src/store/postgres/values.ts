import type { Value } from './bridge-messages.ts';

const numeric = Number;
/** By PostgreSQL's number of the type (pg_type.oid): what `node:sqlite` gives for such a value. */
const parsers: Readonly<Record<number, (text: string) => Value>> = {
  16: text => (text === 't' ? 1 : 0),
  17: text => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  20: numeric,
  21: numeric,
  23: numeric,
  26: numeric,
  700: numeric,
  701: numeric,
  1700: numeric,
};

const parserOf = (type: number): ((text: string) => Value) => parsers[type] ?? String;

/** For a client of `pg`. */
export const valueTypes = { getTypeParser: parserOf as never };
