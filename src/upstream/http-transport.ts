import type { Clock } from '../runtime/clock.ts';
import type { Channel } from '../store/index.ts';
import { type GivenReason, type Why, whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import { type HttpAnswer, type HttpCaller, httpCaller, parseJson } from './http-client.ts';
import { reasonOf } from './mqtt-transport.ts';
import {
  type Connect,
  type Connected,
  type Credentials,
  type Outgoing,
  payloadOf,
  type Result,
  type Transport,
  type TransportEvents,
} from './transport.ts';
import type { Trust } from './trust.ts';

const keepAliveSeconds = 30;
const pullBatch = 50;

/** Outcome of a login over HTTP; the Authorization value of an accepted one. */
type HttpLogin =
  | { readonly kind: 'accepted'; readonly authorization: string }
  | ({ readonly kind: 'refused' } & Why)
  | ({ readonly kind: 'failed' } & Why);

export async function httpLogin(
  caller: HttpCaller,
  { clientId, userName, password }: Credentials,
  signal: AbortSignal,
): Promise<HttpLogin> {
  try {
    const answer = await caller.call(`/api/connect/${encodeURIComponent(clientId)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ clientId, userName, password, keepAliveTime: keepAliveSeconds }),
      signal,
    });
    const { authorization } = answer.headers;
    if (answer.status === 200 && authorization) return { kind: 'accepted', authorization };
    if (answer.status === 406 || answer.status === 401 || answer.status === 403)
      return { kind: 'refused', ...whyOf(uplinkReasons.say('cloud_refuses_key_over_http')) };
    return { kind: 'failed', ...whyOf(uplinkReasons.say('cloud_answers_login', { status: answer.status })) };
  } catch (error) {
    return { kind: 'failed', ...whyOf(reasonOf(error as Error)) };
  }
}

/** Sessions over the HTTP device gateway (SPEC 4.2): one record at a time, messages by pull. */
export function httpConnector(base: string, options: { readonly trust: Trust; readonly clock: Clock }): Connect {
  return async (credentials, events, signal): Promise<Connected> => {
    const caller = httpCaller(base, { trust: options.trust });
    const login = await httpLogin(caller, credentials, signal);
    if (login.kind === 'accepted')
      return {
        kind: 'accepted',
        transport: transportOver(caller, credentials, login.authorization, events, options.clock),
      };
    caller.close();
    return login;
  };
}

function transportOver(
  caller: HttpCaller,
  { clientId }: Credentials,
  authorization: string,
  events: TransportEvents,
  clock: Clock,
): Transport {
  const closing = new AbortController();
  const headers = { Authorization: authorization, 'Content-Type': 'application/json', Accept: 'application/json' };
  const end = (): boolean => {
    if (closing.signal.aborted) return false;
    closing.abort();
    caller.close();
    return true;
  };
  const lose = (why: GivenReason, byCloud = false) => {
    if (end()) events.lost(why, byCloud);
  };
  void pullMessages(caller, clientId, headers, events, clock, closing.signal, lose);
  return {
    via: 'http',
    window: 1,
    silentMs: 20_000,
    send(sending) {
      caller
        .call(pathOfRecord(sending, clientId), {
          method: 'POST',
          headers,
          body: payloadOf(sending),
          signal: closing.signal,
        })
        .then(answer => {
          if (answer.status === 406) lose(uplinkReasons.say('authorization_expired'), true);
          else if (!closing.signal.aborted) sending.onAnswer(resultOf(answer, sending.channel));
        })
        .catch(error => lose(reasonOf(error)));
    },
    close() {
      if (closing.signal.aborted) return;
      closing.abort();
      // SPEC 3.1: offline on purpose, so that the cloud does not wait for missed heartbeats.
      caller
        .call(`/api/disconnect/${encodeURIComponent(clientId)}`, {
          method: 'GET',
          headers: { Authorization: authorization, Connection: 'close' },
        })
        .catch(() => {})
        .finally(() => caller.close());
    },
  };
}

export const pathOfRecord = ({ channel, topic }: Outgoing, clientId: string): string =>
  channel === 'device'
    ? `/api/push/${encodeURIComponent(clientId)}`
    : `/api/v2.0/${topic.split('/').map(encodeURIComponent).join('/')}`;

/**
 * CONTRACT 7: 400 to 499 except 408 and 429 in the body of a 200 is for good; the rest is tried
 * again. Of the answer to a log SPEC 4.2 shows no body: an empty one is as good as code 0. Anything
 * else without a code is not the platform speaking (a proxy, a captive portal), and neither are
 * statuses that say nothing of the message.
 */
export function resultOf({ status, body }: HttpAnswer, channel: Channel): Result {
  if (status === 200) {
    if (channel === 'log' && body.trim() === '') return { kind: 'confirmed' };
    const { code, msg } = parseJson(body);
    if (code === 0 || (channel === 'log' && code === undefined && body.trim().startsWith('{')))
      return { kind: 'confirmed' };
    if (!isCode(code)) return { kind: 'again', why: 'the answer names no code' };
    return final(code)
      ? { kind: 'refused', code, reason: reasonIn(msg) }
      : { kind: 'again', why: `code ${code}: ${reasonIn(msg)}` };
  }
  return aboutTheMessage.has(status)
    ? { kind: 'refused', code: status, reason: `HTTP ${status} ${body.slice(0, 200)}`.trim() }
    : { kind: 'again', why: `HTTP ${status}` };
}

/** A cloud that lies may send anything in their place. */
export const isCode = (code: unknown): code is number => Number.isSafeInteger(code);
/** Maximum length of a kept reason, stored with each record that was refused for it. */
const reasonCharsMax = 500;
export const reasonIn = (msg: unknown): string => (typeof msg === 'string' ? msg.slice(0, reasonCharsMax) : '');

const final = (code: number): boolean => code >= 400 && code <= 499 && code !== 408 && code !== 429;
const aboutTheMessage: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export async function pullMessages(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  events: TransportEvents,
  clock: Clock,
  signal: AbortSignal,
  lose: (why: GivenReason, byCloud?: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    let size = 0;
    try {
      const answer = await caller.call(`/api/pull/${encodeURIComponent(clientId)}?batchSize=${pullBatch}`, {
        method: 'GET',
        headers,
        signal,
      });
      if (answer.status === 406) {
        lose(uplinkReasons.say('authorization_expired'), true);
        return;
      }
      const { data } = parseJson(answer.body);
      const messages = Array.isArray(data) ? data : [];
      size = messages.length;
      for (const message of messages) await events.message(Buffer.from(JSON.stringify(message)));
    } catch (error) {
      lose(reasonOf(error as Error));
      return;
    }
    if (size < pullBatch) await clock.sleep(pullEveryMs, signal).catch(() => {});
  }
}

/** Well inside the keepAliveTime: a device's activation waits for what this brings. */
const pullEveryMs = 5_000;
