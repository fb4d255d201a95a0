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
import type { ServiceRefused } from '../refusal.ts';
import type { SignedServiceCall } from './signed-call.ts';

interface Call extends RefusedCall {
  readonly app_id: string;
}
export type RefusedServiceCall = Counted<Call>;

const masked = '********';

/** The refused calls of the public services, examined for the mistakes that integrators make. */
export class RefusedServiceCalls {
  readonly #log: RefusedCallLog<Call>;

  constructor(clock: Clock) {
    this.#log = new RefusedCallLog(clock);
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
