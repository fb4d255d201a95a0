import {
  type Counted,
  firstFit,
  type Mistake,
  type RefusedCall,
  RefusedCallLog,
  type Suspect,
} from '../../platform/refused-calls.ts';
import { servicePartsToSign, serviceSignature } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CountedLog } from '../../runtime/counted-log.ts';
import type { ServiceRefused } from '../refusal.ts';
import type { SignedServiceCall } from './signed-call.ts';

interface Call extends RefusedCall {
  readonly app_id: string;
}
export type RefusedServiceCall = Counted<Call>;

/** A call that was taken although something is wrong with it. */
export interface MarkedServiceCall {
  readonly at: number;
  readonly address: string;
  readonly path: string;
  readonly app_id: string;
  /** A word for a page. */
  readonly mistake: string;
  /** The same as a sentence, with the remedy. */
  readonly message: string;
  readonly count: number;
}

const markedMax = 50;

const masked = '********';

/** The calls of the public services that show the mistakes that integrators make. */
export class RefusedServiceCalls {
  readonly #clock: Clock;
  readonly #log: RefusedCallLog<Call>;
  readonly #marked = new CountedLog<Omit<MarkedServiceCall, 'count'>>(markedMax);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#log = new RefusedCallLog(clock);
  }

  /** Newest first: one for each app, address and mistake, with the path of the last call. */
  marked(): MarkedServiceCall[] {
    return this.#marked.list();
  }

  /** Of an app that was identified. */
  mark({ appId = '', address, path }: SignedServiceCall, why: Pick<MarkedServiceCall, 'mistake' | 'message'>): void {
    const call = { at: this.#clock.now(), address, path: path.slice(0, 100), app_id: appId.slice(0, 64), ...why };
    this.#marked.note(`${call.app_id} ${address} ${why.mistake}`, call);
  }

  /** Newest first. */
  list(): RefusedServiceCall[] {
    return this.#log.list();
  }

  note(call: SignedServiceCall, refused: ServiceRefused, key: string | null): void {
    const appId = (call.appId ?? '').slice(0, 64);
    const path = call.path.slice(0, 100);
    const why: Mistake =
      refused.code !== 401
        ? { mistake: 'request', differs: null, message: refused.message }
        : key === null
          ? { mistake: 'wrong_key', differs: 'app_id', message: 'no app with this app_id stands in the site' }
          : likelyMistake(call, key);
    const parts =
      key === null
        ? []
        : servicePartsToSign({ appId, appKey: masked, nonce: call.nonce ?? '', timestamp: call.timestamp ?? '' });
    this.#log.note(`${appId} ${path} ${why.message}`, {
      address: call.address,
      path,
      app_id: appId,
      ...why,
      parts,
    });
  }
}

function likelyMistake(
  { appId = '', timestamp = '', nonce = '', sig = '' }: SignedServiceCall,
  appKey: string,
): Mistake {
  const right = { appId, appKey, nonce, timestamp };
  const mistakes: readonly Suspect<typeof right>[] = [
    ['swapped', 'app_id', 'app_id and app_key are the wrong way round', { appId: appKey, appKey: appId }],
    ['line_end', 'app_key', 'app_key is signed with a line end behind it: cut it off', { appKey: `${appKey}\n` }],
    ['nonce_swapped', 'nonce', 'nonce and timestamp are the wrong way round', { nonce: timestamp, timestamp: nonce }],
    [
      'seconds',
      'timestamp',
      'the timestamp that was signed is in seconds, the one that was sent in milliseconds',
      { timestamp: timestamp.slice(0, 10) },
    ],
    ['other_letters', 'app_id', 'app_id is signed in other letters', { appId: appId.toUpperCase() }],
  ];
  const found = firstFit(sig, right, mistakes, serviceSignature);
  if (found) return found;
  if (!/^[0-9a-f]{32}$/i.test(sig))
    return { mistake: 'no_md5', differs: null, message: 'sig is no MD5 in hexadecimal: 32 digits' };
  return {
    mistake: 'other_secret',
    differs: 'app_key',
    message: 'sig is the MD5 of another string, or made with another app_key: compare with string_to_sign',
  };
}
