import {
  type Counted,
  firstFit,
  type Mistake,
  maskedSecret,
  type OtherCallers,
  type RefusedCall,
  RefusedCalls,
  type Suspect,
} from '../../platform/refused-calls.ts';
import { servicePartsToSign, serviceSignature, serviceStringToSign } from '../../platform/signature.ts';
import {
  firstGuess,
  type Guess,
  type GuessedCall,
  joinedOtherwise,
  otherDigest,
  withMore,
  withSecrets,
} from '../../platform/signature-guesses.ts';
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

/** The calls of the public services that show the mistakes that integrators make. */
export class RefusedServiceCalls {
  readonly #clock: Clock;
  readonly #calls: RefusedCalls<Call>;
  readonly #marked = new CountedLog<Omit<MarkedServiceCall, 'count'>>(markedMax);
  readonly #others: OtherCallers;

  constructor(clock: Clock, others: OtherCallers) {
    this.#clock = clock;
    this.#others = others;
    this.#calls = new RefusedCalls(clock, others);
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
    return this.#calls.list();
  }

  /**
   * `key` of the app that the call names; null: it names none, or the signature is not the matter.
   */
  note(call: SignedServiceCall, refused: ServiceRefused, key: string | null): Promise<void> {
    const { address, path, appId = '', nonce = '', timestamp = '' } = call;
    return this.#calls.note({
      ...{ address, path, sent: appId, isKnown: key !== null, mayBeSecret: key === null },
      mistake: async (isSecret, examined) => {
        if (refused.code !== 401) return { mistake: 'request', differs: null, message: refused.message, named: '' };
        if (isSecret) return keyAsId;
        return key === null ? unknownId : examined(() => likelyMistake(call, key, this.#others));
      },
      entry: id => ({
        app_id: id,
        parts: key === null ? [] : servicePartsToSign({ appId: id, appKey: maskedSecret, nonce, timestamp }),
      }),
    });
  }
}

const unknownId: Mistake = {
  mistake: 'wrong_key',
  differs: 'app_id',
  message: 'no app with this app_id stands in the site',
  named: '',
};

const keyAsId: Mistake = {
  mistake: 'secret_as_key',
  differs: 'app_id',
  message: 'app_id holds the app_key: send the id of the app, and keep the key for signing',
  named: '',
};

async function likelyMistake(call: SignedServiceCall, appKey: string, others: OtherCallers): Promise<Mistake> {
  const { path, appId = '', timestamp = '', nonce = '', sig = '' } = call;
  const right = { appId, appKey, nonce, timestamp };
  const rightText = serviceStringToSign(right);
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
    ['other_letters', 'app_id', 'app_id is signed in other letters', { appId: appId.toLowerCase() }],
  ];
  const pieces = servicePartsToSign(right).map(({ name, text }) => ({ name, text: text.replace(/^&/, '') }));
  const found =
    firstFit(sig, right, mistakes, serviceSignature) ??
    firstGuess(sig, joinedOtherwise(pieces, '&')) ??
    firstGuess(sig, valuesAlone([appId, appKey, nonce, timestamp]));
  if (found) return found;
  const around = (await call.around?.()) ?? { origin: '', query: '', body: null };
  return (
    firstGuess(sig, withPath(path, around, rightText)) ??
    firstGuess(sig, withMore(around, path, rightText, null)) ??
    otherDigest('sig', sig, rightText, appKey) ??
    firstGuess(
      sig,
      withSecrets(await others(), right.appId, 'app_key', 'app_key', secret =>
        serviceStringToSign({ ...right, appKey: secret }),
      ),
    ) ?? {
      mistake: 'other_secret',
      differs: 'app_key',
      message: 'sig is the MD5 of another string, or made with another app_key: compare with string_to_sign',
      named: '',
    }
  );
}

/** Without their names. */
function* valuesAlone(values: readonly string[]): Iterable<Guess> {
  for (const joint of ['', '&', '-'])
    yield {
      mistake: 'values_alone',
      differs: null,
      message: 'the values are signed without their names: app_id=…&app_key=…&nonce=…&timestamp=…',
      text: values.join(joint),
    };
}

/** As the attendance API does it. */
function* withPath(path: string, { origin, query }: GuessedCall, right: string): Iterable<Guess> {
  const message = 'the path is signed too: leave it out';
  for (const one of [path, `${path}${query}`, `${origin}${path}`, `${origin}${path}${query}`])
    for (const joint of ['', '&', '?'])
      yield { mistake: 'path_too', differs: null, message, text: one + joint + right };
}
