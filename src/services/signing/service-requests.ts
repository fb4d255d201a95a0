import { servicePartsToSign } from '../../platform/signature.ts';
import {
  firstGuess,
  type Guess,
  type GuessedCall,
  joinedOtherwise,
  otherDigest,
  piecesOf,
  type Right,
  suspected,
  withMore,
  withSecrets,
} from '../../platform/signature-guesses.ts';
import { type Mistake, maskedSecret, plainMistake, type Suspect } from '../../platform/signed-request.ts';
import { type OtherCallers, SignedRequests } from '../../platform/signed-requests.ts';
import type { Clock } from '../../runtime/clock.ts';
import { CountedLog } from '../../runtime/counted-log.ts';
import type { ServiceRefused } from '../refusal.ts';
import type { SignedServiceCall } from './signed-call.ts';

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

/** The requests of the public services, with what is wrong with those that were rejected. */
export class ServiceRequests extends SignedRequests {
  readonly #clock: Clock;
  readonly #marked = new CountedLog<Omit<MarkedServiceCall, 'count'>>(markedMax);
  readonly #others: OtherCallers;

  constructor(options: ConstructorParameters<typeof SignedRequests>[0]) {
    super(options);
    this.#clock = options.clock;
    this.#others = options.others;
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

  /**
   * `key` of the app that the call names; null: it names none, or the signature is not the matter.
   */
  note(call: SignedServiceCall, refused: ServiceRefused, key: string | null, isKnown = key !== null): Promise<void> {
    const { appId = '', nonce = '', timestamp = '' } = call;
    const { status, code } = refused;
    return this.reject({
      ...call,
      ...{ status, code, sent: appId, isKnown, mayBeSecret: key === null },
      mistake: async (isSecret, examined) => {
        if (code === 429) return plainMistake('too_many_calls', refused.message);
        if (code !== 401) return plainMistake('request', refused.message);
        if (isSecret) return keyAsId;
        return key === null ? unknownId : examined(() => likelyMistake(call, key, this.#others));
      },
      parts: id => (key === null ? [] : servicePartsToSign({ appId: id, appKey: maskedSecret, nonce, timestamp })),
    });
  }
}

const unknownId = plainMistake('wrong_key', 'no app with this app_id stands in the site', 'app_id');

const keyAsId = plainMistake(
  'secret_as_key',
  'app_id holds the app_key: send the id of the app, and keep the key for signing',
  'app_id',
);

async function likelyMistake(call: SignedServiceCall, appKey: string, others: OtherCallers): Promise<Mistake> {
  const { path, appId = '', timestamp = '', nonce = '', sig = '' } = call;
  const right = { appId, appKey, nonce, timestamp };
  const known = { parts: servicePartsToSign(right), secret: appKey };
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
  const pieces = known.parts.map(({ name, text }) => ({ name, text: text.replace(/^&/, '') }));
  const found = firstGuess(sig, known, [
    ...suspected(right, mistakes, servicePartsToSign),
    ...joinedOtherwise(pieces, '&'),
    ...valuesAlone(right),
  ]);
  if (found) return found;
  const around = (await call.around?.()) ?? { origin: '', query: '', body: null };
  return (
    firstGuess(sig, known, withPath(path, around, known)) ??
    firstGuess(sig, known, withMore(around, path, known)) ??
    otherDigest('sig', sig, known) ??
    withSecrets(sig, known, await others(), right.appId, 'app_key') ??
    plainMistake(
      'other_secret',
      'sig is the MD5 of another string, or made with another app_key: compare with string_to_sign',
      'app_key',
    )
  );
}

/** Without their names. */
function* valuesAlone({ appId, appKey, nonce, timestamp }: Parameters<typeof servicePartsToSign>[0]): Iterable<Guess> {
  for (const joint of ['', '&', '-'])
    yield {
      mistake: 'values_alone',
      differs: null,
      message: 'the values are signed without their names: app_id=…&app_key=…&nonce=…&timestamp=…',
      pieces: piecesOf(
        ['app_id', appId],
        ['app_key', joint + appKey],
        ['nonce', joint + nonce],
        ['timestamp', joint + timestamp],
      ),
    };
}

/** As the attendance API does it. */
function* withPath(path: string, { origin, query }: GuessedCall, { parts: [first, ...rest] }: Right): Iterable<Guess> {
  const message = 'the path is signed too: leave it out';
  for (const address of ['', origin])
    for (const more of ['', query])
      for (const joint of ['', '&', '?'])
        yield {
          ...{ mistake: 'path_too', differs: null, message },
          pieces: [
            ...piecesOf(['address', address], ['path', path], ['query', more]),
            { name: first!.name, text: joint + first!.text },
            ...rest,
          ],
        };
}
