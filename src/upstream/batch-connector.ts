import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { DirectoryStore, RefusedLine, RememberedStore, Store } from '../store/index.ts';
import { recordReasons } from '../words/records.ts';
import { type Coded, type GivenReason, whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { BackupsAbove } from './backups-above.ts';
import { BatchInstance } from './batch-instance.ts';
import { type BatchAnswer, BatchTransport } from './batch-transport.ts';
import { type HttpAnswer, type HttpCaller, httpCaller, parseJson } from './http-client.ts';
import { httpLogin, isCode, pathOfRecord, pullMessages, reasonIn, resultOf } from './http-transport.ts';
import { reasonOf } from './mqtt-transport.ts';
import type { ReportsAbove } from './reports-above.ts';
import { type Connect, type Connected, type Outgoing, payloadOf, type Result } from './transport.ts';
import type { Trust } from './trust.ts';

/**
 * Sessions of the box with another box, or a cloud, that takes batches (CONTRACT 5): batches go up
 * over HTTP, messages come down by pull.
 */
export function batchConnector(
  base: string,
  options: {
    readonly trust: Trust;
    readonly clock: Clock;
    readonly store: DirectoryStore & Pick<Store, 'epoch'> & RememberedStore;
    readonly log: Log;
    /** Backups go up by the same session. */
    readonly backups: BackupsAbove;
    readonly reports: ReportsAbove;
  },
): Connect {
  const { trust, clock, store, log, backups, reports } = options;
  const instance = new BatchInstance(store, clock);
  return async (credentials, events, signal): Promise<Connected> => {
    const caller = httpCaller(base, { trust, sockets: 2 });
    const login = await httpLogin(caller, credentials, signal);
    if (login.kind !== 'accepted') {
      caller.close();
      return login;
    }
    const { clientId } = credentials;
    const headers = { Authorization: login.authorization };
    const refused = await askWhetherListed(
      caller,
      clientId,
      { ...headers, 'Batch-Epoch': store.epoch },
      instance,
      signal,
    );
    if (refused) {
      caller.close();
      return refused;
    }
    const session = { clientId, authorization: login.authorization };
    backups.opened(session);
    const closing = new AbortController();
    const end = (): boolean => {
      if (closing.signal.aborted) return false;
      backups.ended(session);
      closing.abort();
      caller.close();
      return true;
    };
    const lose = (why: GivenReason) => {
      if (end()) events.lost(why);
    };
    void reports.follow(body => postReport(caller, clientId, headers, body, closing.signal), closing.signal);
    void pullMessages(caller, clientId, headers, events, clock, closing.signal, lose);
    const transport = new BatchTransport({
      ...{ clock, store, log },
      post: (body, epoch) =>
        instance
          .headers()
          .then(own => post(caller, clientId, { ...headers, ...own, 'Batch-Epoch': epoch }, body, closing.signal, lose))
          .catch(error => {
            lose(reasonOf(error));
            return { kind: 'again', why: reasonOf(error).reason };
          }),
      postOwn: record => postOwn(caller, clientId, headers, record, closing.signal, lose),
      onClose: end,
      signal: closing.signal,
    });
    return { kind: 'accepted', transport };
  };
}

/** The other side may ask to be left alone for so long, and no longer. */
const refusedForMsMax = 5 * 60 * 1000;

/**
 * Asks with a batch of no lines: the box above may not have listed this one yet, or takes the
 * batches of another copy of it. That is shown as a
 * refused uplink, which tries again by itself; records wait and are never parked for it. Null:
 * batches are taken, or something else is wrong, which the first batch shows.
 */
async function askWhetherListed(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  instance: BatchInstance,
  signal: AbortSignal,
): Promise<Connected | null> {
  try {
    const answer = await caller.call(pathOf(clientId), {
      method: 'POST',
      headers: { ...headers, ...(await instance.headers()), 'Content-Type': 'application/x-ndjson' },
      body: '',
      signal,
    });
    const why = notTaken(answer);
    if (why === null) {
      const asksAgain = answer.status === 200 && (await instance.accepted());
      return asksAgain ? await askWhetherListed(caller, clientId, headers, instance, signal) : null;
    }
    // The box above need not hold a session over which nothing can be said.
    await caller.call(`/api/disconnect/${encodeURIComponent(clientId)}`, { method: 'POST', headers, signal });
    const seconds = Number(answer.headers['retry-after']);
    const againInMs = seconds > 0 ? Math.min(seconds * 1000, refusedForMsMax) : 0;
    return { kind: 'refused', ...whyOf(why), againInMs };
  } catch (error) {
    return { kind: 'failed', ...whyOf(reasonOf(error as Error)) };
  }
}

/** Why this box may not send batches there, in the words of the other side; null when it may. */
function notTaken({ status, body }: HttpAnswer): GivenReason | null {
  const { code, msg, said } = parseJson(body);
  if (status !== 403 && !(status === 200 && code === 403)) return null;
  const { code: known, params } = saidIn(said) ?? {};
  const id = String(params?.id ?? '');
  if (known === 'box_above_does_not_list') return uplinkReasons.say(known, { id });
  if (known === 'box_above_has_another') return uplinkReasons.say(known, { id });
  return uplinkReasons.say('box_above_refuses', { answer: typeof msg === 'string' ? msg.slice(0, 300) : '' });
}

const pathOf = (clientId: string): string => `/api/v1.0/batch/${encodeURIComponent(clientId)}`;

async function post(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  body: Uint8Array,
  signal: AbortSignal,
  lose: (why: GivenReason) => void,
): Promise<BatchAnswer> {
  const answer = await caller.call(pathOf(clientId), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'zstd' },
    body,
    signal,
  });
  if (answer.status === 406) {
    lose(uplinkReasons.say('authorization_expired'));
    return { kind: 'again', why: 'connect again' };
  }
  const refusal = notTaken(answer);
  if (refusal !== null) {
    lose(refusal);
    return { kind: 'again', why: refusal.reason };
  }
  if (answer.status === 413) return { kind: 'too_large', ...whyOf(recordReasons.say('too_large_above')) };
  const result = resultOf(answer, 'device');
  if (result.kind !== 'confirmed')
    return { kind: 'again', why: result.kind === 'again' ? result.why : `${result.code}: ${result.reason}` };
  const data = (parseJson(answer.body).data ?? {}) as { acked_seq?: unknown; refused?: unknown };
  if (!Number.isSafeInteger(data.acked_seq)) return { kind: 'again', why: 'the answer names no acked_seq' };
  const refused = refusedLines(data.refused);
  if (refused === null) return { kind: 'again', why: 'the answer lists refused lines that cannot be read' };
  return { kind: 'acked', ackedSeq: data.acked_seq as number, refused };
}

const postReport = (
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<HttpAnswer> =>
  caller.call(`${pathOf(clientId)}/status`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
    signal,
  });

/** Code and values that a box above names beside its text. */
function saidIn(said: unknown): Coded | undefined {
  const { code, params } = (said ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof (params ?? {}) !== 'object') return undefined;
  const isValue = (entry: [string, unknown]): entry is [string, string | number] =>
    ['string', 'number'].includes(typeof entry[1]);
  return { code, params: Object.fromEntries(Object.entries(params ?? {}).filter(isValue)) };
}

/** Lines of `list`; null if it is malformed: continuing could confirm a refused record. */
function refusedLines(list: unknown): RefusedLine[] | null {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return null;
  const lines: RefusedLine[] = [];
  for (const one of list as unknown[]) {
    const { seq, code, msg, said } = (one ?? {}) as Record<string, unknown>;
    if (!isCode(seq) || !isCode(code)) return null;
    lines.push({ seq, code, msg: reasonIn(msg), said: saidIn(said) });
  }
  return lines;
}

/** A log record of the box itself. */
async function postOwn(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  record: Outgoing,
  signal: AbortSignal,
  lose: (why: GivenReason) => void,
): Promise<Result> {
  try {
    const answer = await caller.call(pathOfRecord(record, clientId), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: payloadOf(record),
      signal,
    });
    if (answer.status !== 406) return resultOf(answer, 'log');
    lose(uplinkReasons.say('authorization_expired'));
    return { kind: 'again', why: 'connect again' };
  } catch (error) {
    lose(reasonOf(error as Error));
    return { kind: 'again', why: reasonOf(error as Error).reason };
  }
}
