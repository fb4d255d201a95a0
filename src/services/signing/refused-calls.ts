import type { Clock } from '../../platform/clock.ts';
import { CountedBook } from '../../platform/counted-book.ts';
import { sameDigest, serviceSignature, serviceStringToSign } from '../../platform/signature.ts';
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
  readonly count: number;
}

const keptMax = 50;
const masked = '********';

/** The last refused calls, examined for the mistakes that integrators make. In memory: after a restart they call again. */
export class RefusedServiceCalls {
  readonly #clock: Clock;
  readonly #calls = new CountedBook<Omit<RefusedServiceCall, 'count'>>(keptMax);

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
    const says =
      refused.code !== 401
        ? refused.message
        : key === null
          ? 'no app with this app_id stands in the site'
          : likelyMistake(call, key);
    this.#calls.note(`${appId} ${path} ${says}`, {
      at: this.#clock.now(),
      address: call.address,
      path,
      app_id: appId,
      says,
      string_to_sign:
        key === null
          ? ''
          : serviceStringToSign({ appId, appKey: masked, nonce: call.nonce ?? '', timestamp: call.timestamp ?? '' }),
    });
  }
}

/** The string is signed again as integrators get it wrong, until one fits. */
function likelyMistake(
  { appId = '', timestamp = '', nonce = '', sig = '' }: SignedServiceCall,
  appKey: string,
): string {
  const right = { appId, appKey, nonce, timestamp };
  const mistakes: readonly (readonly [string, typeof right])[] = [
    ['app_id and app_key are the wrong way round', { ...right, appId: appKey, appKey: appId }],
    ['app_key is signed with a line end behind it: cut it off', { ...right, appKey: `${appKey}\n` }],
    ['nonce and timestamp are the wrong way round', { ...right, nonce: timestamp, timestamp: nonce }],
    [
      'the timestamp that was signed is in seconds, the one that was sent in milliseconds',
      { ...right, timestamp: timestamp.slice(0, 10) },
    ],
    ['app_id is signed in other letters', { ...right, appId: appId.toUpperCase() }],
  ];
  for (const [says, parts] of mistakes) if (sameDigest(sig, serviceSignature(parts))) return says;
  if (!/^[0-9a-f]{32}$/i.test(sig)) return 'sig is no MD5 in hexadecimal: 32 digits';
  return 'sig is the MD5 of another string, or made with another app_key: compare with string_to_sign';
}
