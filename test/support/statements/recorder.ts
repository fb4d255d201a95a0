import { relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Placeholder, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-sqlite';
import { root } from '../house/sources.ts';

/**
 * Stands in for src/store/schema/query.ts in built.ts: builds each query when it is declared, in
 * all of its variants, and notes its text in place of preparing it when it first runs.
 */

/** A query that was built, and where it is declared. */
interface BuiltQuery {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Built {
  toSQL(): { sql: string };
}

type Variants = (file: string, line: number) => readonly unknown[];

export const built: BuiltQuery[] = [];
const found: { variants: Variants } = { variants: () => [] };
export const useVariants = (variants: Variants): void => void Object.assign(found, { variants });

const values = new Proxy({}, { get: (_target, name) => sql.placeholder(String(name)) as Placeholder });
const orm = drizzle({ client: new DatabaseSync(':memory:') });
const prepared = { all: () => [], get: () => undefined };

function note(query: Built, [file, line]: readonly [string, number]): typeof prepared {
  built.push({ file, line, text: query.toSQL().sql });
  return prepared;
}

export const query = (build: (value: unknown) => Built): typeof prepared => note(build(values), place());

export function queryFor(build: (variant: unknown, value: unknown) => Built): () => typeof prepared {
  const [file, line] = place();
  for (const variant of found.variants(file, line)) note(build(variant, values), [file, line]);
  return () => prepared;
}

export function queryOn(build: (of: unknown, value: unknown) => Built): () => typeof prepared {
  note(build(orm, values), place());
  return () => prepared;
}

/** Where the caller of this module stands. */
function place(): readonly [file: string, line: number] {
  for (const frame of (new Error().stack ?? '').split('\n')) {
    const at = /file:\/\/(\/[^)]*?):(\d+):\d+/.exec(frame);
    if (at && !at[1]!.endsWith('/statements/recorder.ts')) return [relative(root, at[1]!), Number(at[2])];
  }
  throw new Error('nobody declares this query');
}
