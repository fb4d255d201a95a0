import { type SignedPart, sameDigest, servicePartsToSign, serviceSignature } from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CountedLog } from '../../runtime/counted-log.ts';
import type { ServiceRefused } from '../refusal.ts';
import type { SignedServiceCall } from './callers.ts';

/** A refused call as people at the box read it. */
export interface RefusedServiceCall {
  readonly at: number;
  readonly address: string;
  readonly path: string;
  readonly app_id: string;
  /** The likely mistake and the remedy. */
  readonly says: string;
  /** What should have been signed, the key masked; empty where that is not the matter. */
  readonly string_to_sign: string;
  /** The same in its parts. */
  readonly parts: readonly SignedPart[];
  /**
   * The first part that was signed otherwise, as far as that can be told; null: all of them may be
   * right.
   */
  readonly differs: SignedPart['name'] | null;
  /** What `says` says, as a word for a page. */
  readonly mistake: string;
  readonly count: number;
}

const keptMax = 50;
const masked = '********';

/**
 * The last refused calls, examined for the mistakes that integrators make. In memory: after a
 * restart they call again.
 */
export class RefusedServiceCalls {
  readonly #clock: Clock;
  readonly #calls = new CountedLog<Omit<RefusedServiceCall, 'count'>>(keptMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Newest first. */
  list(): RefusedServiceCall[] {
    return this.#calls.list();
  }

  note(call: SignedServiceCall, refused: ServiceRefused, key: string | null): void {
    const appId = (call.appId ?? '').slice(0, 64);
    const path = call.path.slice(0, 100);
    const why: Mistake =
      refused.code !== 401
        ? { mistake: 'request', differs: null, says: refused.message }
        : key === null
          ? { mistake: 'wrong_key', differs: 'app_id', says: 'no app with this app_id stands in the site' }
          : likelyMistake(call, key);
    const parts =
      key === null
        ? []
        : servicePartsToSign({ appId, appKey: masked, nonce: call.nonce ?? '', timestamp: call.timestamp ?? '' });
    this.#calls.note(`${appId} ${path} ${why.says}`, {
      at: this.#clock.now(),
      address: call.address,
      path,
      app_id: appId,
      ...why,
      string_to_sign: parts.map(part => part.text).join(''),
      parts,
    });
  }
}

type Mistake = Pick<RefusedServiceCall, 'mistake' | 'says' | 'differs'>;

/** The string is signed again as integrators get it wrong, until one fits. */
function likelyMistake(
  { appId = '', timestamp = '', nonce = '', sig = '' }: SignedServiceCall,
  appKey: string,
): Mistake {
  const right = { appId, appKey, nonce, timestamp };
  const mistakes: readonly (readonly [string, SignedPart['name'], string, Partial<typeof right>])[] = [
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
  for (const [mistake, differs, says, wrong] of mistakes)
    if (sameDigest(sig, serviceSignature({ ...right, ...wrong }))) return { mistake, differs, says };
  if (!/^[0-9a-f]{32}$/i.test(sig))
    return { mistake: 'no_md5', differs: null, says: 'sig is no MD5 in hexadecimal: 32 digits' };
  return {
    mistake: 'other_secret',
    differs: 'app_key',
    says: 'sig is the MD5 of another string, or made with another app_key: compare with string_to_sign',
  };
}
