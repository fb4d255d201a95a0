import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { socketPath } from '../runtime/socket-path.ts';
import type { AnyOperation, Call, FileOperation, Running } from './operation.ts';
import { AdminRefused, type Problem } from './problem.ts';

/** Operations of a running box at the other end of its Unix socket. */
export function remote<Operations extends Readonly<Record<string, Exclude<AnyOperation, FileOperation>>>>(
  dataDir: string,
  operations: Operations,
): Running<Operations> {
  const clients = Object.entries(operations).map(([name, operation]) => [
    name,
    (asked: Readonly<Record<string, unknown>> = {}, call?: Call) => {
      const { path, body } = addressOf(operation, asked);
      const answer = () => ask(dataDir, operation.method.toUpperCase(), `/admin/v1${path}`, body, call?.signal);
      return 'line' in operation ? linesOf(answer, operation.ends) : answer().then(readAll).then(JSON.parse);
    },
  ]);
  // The paths and bodies are made from the objects that the type is made from.
  return Object.fromEntries(clients) as Running<Operations>;
}

function addressOf(operation: AnyOperation, asked: Readonly<Record<string, unknown>>) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(asked[name])));
  const query = new URLSearchParams();
  for (const name of namesOf(operation.query)) if (asked[name] !== undefined) query.set(name, String(asked[name]));
  const body = operation.body && Object.fromEntries(namesOf(operation.body).map(name => [name, asked[name]]));
  return { path: query.size === 0 ? path : `${path}?${query}`, body };
}

const namesOf = (schema: AnyOperation['query']): string[] => Object.keys(schema?.shape ?? {});

async function* linesOf(answer: () => Promise<IncomingMessage>, ends: 'with an empty line' | 'with its last value') {
  let isWhole = ends === 'with its last value';
  for await (const line of createInterface({ input: await answer(), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') isWhole = true;
    else yield JSON.parse(line);
  }
  if (!isWhole) throw new Error('the box stopped in the middle of the answer: try again');
}

/** Resolves with an answer of status 200; throws `AdminRefused` with any other. */
export async function ask(
  dataDir: string,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  using socket = socketPath(dataDir);
  const outgoing = request({
    socketPath: socket.path,
    method,
    path,
    agent: false,
    ...(signal ? { signal } : {}),
    headers: { host: 'gatehouse', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (answer.statusCode === 200) return answer;
  const text = await readAll(answer);
  let problem: Problem = {
    type: 'about:blank',
    title: `status ${answer.statusCode}`,
    status: answer.statusCode ?? 0,
    detail: text,
  };
  if (answer.headers['content-type']?.includes('json')) problem = JSON.parse(text);
  throw new AdminRefused(problem);
}

export async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
