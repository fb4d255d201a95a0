import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { AdminRefused } from '../runtime/admin-refused.ts';
import type { Problem } from '../runtime/problem.ts';
import { socketPath } from '../runtime/socket-path.ts';
import { boxEndedOr } from './box-ended.ts';
import type { AdminAnswer, AdminRequest } from './calls.ts';

/** Resolves if something listens on the socket. Rejects with the error of `connect` otherwise. */
export async function knock(dataDir: string): Promise<void> {
  using path = socketPath(dataDir);
  const socket = connect(path.path);
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/**
 * Asks the running box of a data directory. Throws `AdminRefused` with what it says against it, and
 * `BoxEnded` when it ended before it had answered.
 */
export async function askSocket(dataDir: string, { method, path, body, signal }: AdminRequest): Promise<AdminAnswer> {
  using socket = socketPath(dataDir);
  const outgoing = request({
    method,
    path: `/admin/v1${path}`,
    // Without an agent: Node's would first ask whether the host is an address.
    createConnection: () => connect(socket.path),
    ...(signal ? { signal } : {}),
    headers: { host: 'gatehouse', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response').catch(error => {
    throw boxEndedOr(error);
  })) as [IncomingMessage];
  if (answer.statusCode !== 200) throw refusalOf(answer, await textOf(answer));
  return {
    headers: answer.headers,
    json: async () => JSON.parse(await textOf(answer)),
    pieces: () => piecesOf(answer),
  };
}

function refusalOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): AdminRefused {
  const isProblem = headers['content-type']?.includes('json');
  const problem: Problem = { type: 'about:blank', title: `status ${status}`, status, detail: text };
  return new AdminRefused(isProblem ? JSON.parse(text) : problem);
}

/** Throws `BoxEnded` if the answer ends early. */
async function* piecesOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    throw boxEndedOr(error);
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of piecesOf(answer)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
