import type { Clock } from '../runtime/clock.ts';
import { type HttpAnswer, type HttpCaller, httpCaller, parseJson } from './http-client.ts';
import { httpLogin, pullMessages, resultOf } from './http-transport.ts';
import type { Attempt, Closable } from './kept-connection.ts';
import { reasonOf } from './mqtt-transport.ts';
import type { Credentials } from './transport.ts';
import type { Trust } from './trust.ts';

/** An open session over which batches go. */
export interface BatchTransport extends Closable {
  post(body: Uint8Array, epoch: string): Promise<BatchAnswer>;
}

export type BatchAnswer =
  | {
      readonly kind: 'acked';
      readonly ackedSeq: number;
      readonly refused: readonly { seq: number; code: number; msg: string }[];
    }
  /** As it is it will never be taken. */
  | { readonly kind: 'too_large'; readonly why: string }
  | { readonly kind: 'again'; readonly why: string };

export async function connectForBatches(
  base: string,
  options: {
    readonly trust: Trust;
    readonly clock: Clock;
    readonly message: (payload: Uint8Array) => Promise<void>;
  },
  credentials: Credentials,
  lost: (why: string) => void,
  signal: AbortSignal,
): Promise<Attempt<BatchTransport>> {
  const caller = httpCaller(base, { trust: options.trust, sockets: 2 });
  const login = await httpLogin(caller, credentials, signal);
  if (login.kind !== 'accepted') {
    caller.close();
    return login;
  }
  const closing = new AbortController();
  const lose = (why: string) => {
    if (closing.signal.aborted) return;
    closing.abort();
    caller.close();
    lost(why);
  };
  const headers = { Authorization: login.authorization };
  const refused = await askWhetherListed(caller, credentials.clientId, headers, signal);
  if (refused) {
    caller.close();
    return refused;
  }
  void pullMessages(
    caller,
    credentials.clientId,
    headers,
    { message: options.message, lost },
    options.clock,
    closing.signal,
    lose,
  );
  return {
    kind: 'accepted',
    transport: {
      post: (body, epoch) =>
        post(caller, credentials.clientId, { ...headers, 'Batch-Epoch': epoch }, body, closing.signal, lose),
      close() {
        closing.abort();
        caller.close();
      },
    },
  };
}

/** Longer than this nobody is believed who asks to be left alone. */
const refusedForMsMax = 5 * 60 * 1000;

/**
 * With a batch of no lines: the box above may not have listed this one yet. That is shown as a
 * refused line, which tries again by itself; records wait and are never parked for it. Null:
 * batches are taken, or something else is wrong, which the first of them will say.
 */
async function askWhetherListed(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Attempt<never> | null> {
  try {
    const answer = await caller.call(pathOf(clientId), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      body: '',
      signal,
    });
    const why = notTaken(answer);
    if (why === null) return null;
    // The box above need not hold a session of somebody who can say nothing.
    await caller.call(`/api/disconnect/${encodeURIComponent(clientId)}`, { method: 'POST', headers, signal });
    const seconds = Number(answer.headers['retry-after']);
    const againInMs = seconds > 0 ? Math.min(seconds * 1000, refusedForMsMax) : 0;
    return { kind: 'refused', why, againInMs };
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error as Error) };
  }
}

/**
 * Why this box may not send batches there, in the words of the other side; null where that is not
 * the matter.
 */
function notTaken({ status, body }: HttpAnswer): string | null {
  const { code, msg } = parseJson(body);
  if (status !== 403 && !(status === 200 && code === 403)) return null;
  const said = typeof msg === 'string' && msg !== '' ? `: ${msg.slice(0, 300)}` : '';
  return `the box above does not take batches of this box${said}`;
}

const pathOf = (clientId: string): string => `/api/v1.0/batch/${encodeURIComponent(clientId)}`;

async function post(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  body: Uint8Array,
  signal: AbortSignal,
  lose: (why: string) => void,
): Promise<BatchAnswer> {
  const answer = await caller.call(pathOf(clientId), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'zstd' },
    body,
    signal,
  });
  if (answer.status === 406) {
    lose('the Authorization value has expired (406)');
    return { kind: 'again', why: 'connect again' };
  }
  const refusal = notTaken(answer);
  if (refusal !== null) {
    lose(refusal);
    return { kind: 'again', why: refusal };
  }
  if (answer.status === 413) return { kind: 'too_large', why: 'larger than is taken there (413)' };
  const result = resultOf(answer, 'device');
  if (result.kind !== 'confirmed')
    return { kind: 'again', why: result.kind === 'again' ? result.why : `${result.code}: ${result.reason}` };
  const data = (parseJson(answer.body).data ?? {}) as { acked_seq?: unknown; refused?: unknown };
  if (!Number.isSafeInteger(data.acked_seq)) return { kind: 'again', why: 'the answer names no acked_seq' };
  const refused = Array.isArray(data.refused) ? (data.refused as { seq: number; code: number; msg: string }[]) : [];
  return { kind: 'acked', ackedSeq: data.acked_seq as number, refused };
}
