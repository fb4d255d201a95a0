import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Post } from '../alerts/index.ts';
import type { Config } from '../config/index.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import type { Trust } from '../upstream/index.ts';
import { SaidError } from '../words/sentences.ts';
import { networkReasons } from '../words/uplink.ts';
import { AddressRefused, isForbidden, judgedLookup, systemLookupAll } from './outgoing.ts';

/**
 * Calls that carry alerts: to webhooks, robots and mail servers. Addresses of the site are allowed,
 * since its own servers are wanted there. An address that was chosen on a page, and not in the
 * config, may not lead to this machine (docs/decisions/outgoing-calls.md).
 */
interface AlertCalls {
  readonly post: Post;
  /** For mail servers that the config does not name. */
  readonly mailLookup: LookupFunction | undefined;
}

const answerMs = 20_000;
/** More of an answer is not read: a robot's is a line. */
const answerBytesMax = 16 << 10;

export function alertCalls({ environment }: Pick<Config, 'environment'>, trust: Trust): AlertCalls {
  // In environment test everything stands on one machine.
  const isJudged = environment === 'production';
  const forbids = (address: string): boolean => isForbidden(address) || ownAddresses().has(plainAddress(address));
  return {
    mailLookup: isJudged
      ? (host, options, done) => judgedLookup(`smtp://${host}`, systemLookupAll, forbids)(host, options, done)
      : undefined,
    post: (url, { headers, body, named, signal }) =>
      new Promise((resolve, reject) => {
        const { protocol, hostname } = new URL(url);
        const host = hostname.replace(/^\[|\]$/g, '');
        const isFree = named || !isJudged;
        if (!isFree && isIP(host) !== 0 && forbids(host)) return reject(new AddressRefused(url, host));
        const secure = protocol === 'https:';
        const outgoing = (secure ? request : plainRequest)(
          url,
          {
            method: 'POST',
            headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
            signal,
            timeout: answerMs,
            agent: false,
            ...(secure ? { secureContext: trust.context } : {}),
            ...(isFree ? {} : { lookup: judgedLookup(url, systemLookupAll, forbids) }),
          },
          response => readAnswer(response, resolve, reject),
        );
        outgoing.on('timeout', () =>
          outgoing.destroy(new SaidError(networkReasons.say('no_answer_in', { at: host, seconds: answerMs / 1000 }))),
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
  };
}

/** A redirect is an answer like any other: it is not followed. */
function readAnswer(
  response: IncomingMessage,
  resolve: (answer: Awaited<ReturnType<Post>>) => void,
  reject: (error: Error) => void,
): void {
  const answer = new GrowingBuffer();
  let isDone = false;
  const done = () => {
    if (isDone) return;
    isDone = true;
    const seconds = Number(response.headers['retry-after']);
    resolve({
      status: response.statusCode ?? 0,
      body: answer.take().toString('utf8'),
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    });
  };
  response.on('data', (chunk: Buffer) => {
    if (isDone) return;
    answer.add(chunk);
    if (answer.length < answerBytesMax) return;
    done();
    response.destroy();
  });
  response.on('error', reject);
  response.on('end', done);
}

const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap(all => (all ?? []).map(({ address }) => address)));
