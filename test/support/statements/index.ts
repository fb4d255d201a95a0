import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { everyValue, Unknown } from './evaluate.ts';
import type { Node, Source } from './source.ts';
import { sourcesOfStore } from './sources.ts';

/** A statement of the store, or a place where it prepares one that its text does not tell. */
export interface Statement {
  /** From the root. */
  readonly file: string;
  readonly line: number;
  /** Null: it is not known what is prepared there. */
  readonly text: string | null;
}

/** All that the store prepares: what is written as SQL, and what is built with drizzle. */
export const preparedByStore = (): readonly Statement[] => [...written(), ...built()];

/** What is written as text, with all that it may be. */
function* written(): Iterable<Statement> {
  const sources = sourcesOfStore();
  for (const source of sources.all())
    for (const call of source.calls) {
      const text = (call.arguments as Node[])[0];
      if (!text || !isShared(source) || !prepares(source, call.callee as Node)) continue;
      const place = { file: source.path, line: source.lineOf(call) };
      try {
        for (const value of everyValue(sources, source, text)) yield { ...place, text: value };
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        yield { ...place, text: null };
      }
    }
}

/** What the store says to PostgreSQL alone is not prepared on SQLite. */
const isShared = ({ path }: Source): boolean =>
  path.startsWith('src/store/') && !path.startsWith('src/store/postgres/');

/** How a place that prepares a statement, or runs one, calls it. */
const functions = new Set(['sql', 'prepared', 'later']);
const methods = new Set(['sql', 'prepare', 'later', 'each']);
const connections = /(?:^|\.|#)(?:database|lock|source)$/;

function prepares(source: Source, callee: Node): boolean {
  if (callee.type === 'Identifier') return functions.has(callee.name as string);
  if (callee.type !== 'MemberExpression') return false;
  const { name } = callee.property as unknown as { name: string };
  return methods.has(name) || (name === 'exec' && connections.test(source.textOf(callee.object as Node)));
}

function built(): Statement[] {
  const program = fileURLToPath(new URL('built.ts', import.meta.url));
  const printed = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return JSON.parse(printed) as Statement[];
}

/** `file:line` of each query that the store declares for drizzle. */
export const declaredQueries = (): readonly string[] =>
  [...sourcesOfStore().all()]
    .filter(source => isShared(source) && source.path !== 'src/store/schema/query.ts')
    .flatMap(source =>
      source.calls
        .filter(({ callee }) => /^query(?:For|On)?$/.test(String((callee as Node).name)))
        .map(call => `${source.path}:${source.lineOf(call)}`),
    );
