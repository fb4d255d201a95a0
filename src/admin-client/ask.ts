import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { AdminRefused } from '../runtime/admin-refused.ts';
import type { Problem } from '../runtime/problem.ts';
import { socketPath } from '../runtime/socket-path.ts';
import { boxEndedOr } from './box-ended.ts';

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
 * Resolves with an answer of status 200. Throws `AdminRefused` with any other, and `BoxEnded`
 * without one.
 */
export async function ask(
  dataDir: string,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  using socket = socketPath(dataDir);
  const outgoing = request({
    method,
    path,
    // Without an agent: Node's would first ask whether the host is an address.
    createConnection: () => connect(socket.path),
    ...(signal ? { signal } : {}),
    headers: { host: 'gatehouse', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response').catch(error => {
    throw boxEndedOr(error);
  })) as [IncomingMessage];
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

/** Throws `BoxEnded` if the answer ends early. */
export async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
  } catch (error) {
    throw boxEndedOr(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}
