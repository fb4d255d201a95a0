import type { IncomingMessage } from 'node:http';
import { ask, readAll } from './ask.ts';
import { BoxEnded, boxEndedOr } from './box-ended.ts';

/** What a caller has to know of an operation of the admin API. */
export interface RemoteOperation {
  readonly method: string;
  /** Such as `/users/{name}`, below /admin/v1. */
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  /** Its answer is one JSON value a line; how a whole one differs from one that was cut. */
  readonly lines?: 'with an empty line' | 'with its last value';
  /** Its answer is a file. */
  readonly file?: true;
}

/**
 * Calls one operation. Throws `AdminRefused` with what the box says against it, and `BoxEnded` when
 * it ended before it had answered.
 */
export type Caller = (
  asked?: Readonly<Record<string, unknown>>,
  call?: { readonly signal?: AbortSignal },
) => Promise<unknown> | AsyncIterable<unknown>;

/** Operations of a running box at the other end of its Unix socket. */
export function remote(dataDir: string, operations: Readonly<Record<string, RemoteOperation>>): Record<string, Caller> {
  const callers = Object.entries(operations).map(([name, operation]): [string, Caller] => [
    name,
    (asked = {}, call) => {
      const { path, body } = addressOf(operation, asked);
      const answer = () => ask(dataDir, operation.method, `/admin/v1${path}`, body, call?.signal);
      if (operation.file) return answer().then(fileOf);
      return operation.lines ? linesOf(answer, operation.lines) : answer().then(readAll).then(JSON.parse);
    },
  ]);
  return Object.fromEntries(callers);
}

function addressOf({ path, query = [], body }: RemoteOperation, asked: Readonly<Record<string, unknown>>) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(asked[name])));
  const words = new URLSearchParams();
  for (const name of query) if (asked[name] !== undefined) words.set(name, String(asked[name]));
  return {
    path: words.size === 0 ? filled : `${filled}?${words}`,
    body: body && Object.fromEntries(body.map(name => [name, asked[name]])),
  };
}

const fileOf = (answer: IncomingMessage) => ({
  type: answer.headers['content-type'] ?? '',
  headers: answer.headers,
  body: piecesOf(answer),
});

async function* piecesOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    throw boxEndedOr(error);
  }
}

async function* linesOf(answer: () => Promise<IncomingMessage>, ends: NonNullable<RemoteOperation['lines']>) {
  let isWhole = ends === 'with its last value';
  const { createInterface } = await import('node:readline');
  try {
    for await (const line of createInterface({ input: await answer(), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line === '') isWhole = true;
      else yield JSON.parse(line);
    }
  } catch (error) {
    throw boxEndedOr(error);
  }
  if (!isWhole) throw new BoxEnded();
}
