import type { Clock } from '../runtime/clock.ts';
import { CountedLog } from '../runtime/counted-log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { type SignedPart, sameDigest } from './signature.ts';

/** The likely mistake of a caller. */
export interface Mistake {
  /** A word for a page. */
  readonly mistake: string;
  /** The same as a sentence, with the remedy. */
  readonly message: string;
  /**
   * The first part that was signed differently, as far as that can be determined; null: all of them
   * may be right.
   */
  readonly differs: SignedPart['name'] | null;
  /**
   * Value in the sentence, such as another caller or an order; empty if there is none. Never a
   * secret.
   */
  readonly named: string;
}

const notExamined: Mistake = {
  message: 'not examined: too many calls are refused at once',
  mistake: 'not_examined',
  differs: null,
  named: '',
};

/** A refused call of a signed API (SPEC 5.6, 5.7), as people at the box read it. */
export interface RefusedCall extends Mistake {
  readonly at: number;
  readonly address: string;
  readonly path: string;
  /** Right string to sign, the secret masked; empty where the signature is not the fault. */
  readonly string_to_sign: string;
  /** The same in its parts. */
  readonly parts: readonly SignedPart[];
}

export type Counted<Call extends RefusedCall> = Call & { readonly count: number };

const ofOneCallerMax = 10;
const callersMax = 50;
const strangersMax = 20;

/**
 * The last refused calls of one API: at most 10 different ones of each of 50 callers, and 20 of
 * those that name no caller of the site, so that no caller hides another. In memory: after a
 * restart the callers call again.
 */
class RefusedCallLog<Call extends RefusedCall> {
  readonly #clock: Clock;
  readonly #ofCaller = new Map<string, CountedLog<Call>>();
  readonly #strangers = new CountedLog<Call>(strangersMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Newest first. */
  list(): Counted<Call>[] {
    return [this.#strangers, ...this.#ofCaller.values()]
      .flatMap(calls => calls.list())
      .sort((one, other) => other.at - one.at);
  }

  /**
   * A call with the key of one before it is that one again, and is counted. `caller`: the id of a
   * caller of the site; null: the call names none.
   */
  note(caller: string | null, key: string, call: Omit<Call, 'at' | 'string_to_sign'>): void {
    const at = this.#clock.now();
    const noted = { ...call, at, string_to_sign: call.parts.map(part => part.text).join('') } as Call;
    this.#callsOf(caller).note(key, noted);
  }

  #callsOf(caller: string | null): CountedLog<Call> {
    if (caller === null) return this.#strangers;
    const calls = this.#ofCaller.get(caller) ?? new CountedLog<Call>(ofOneCallerMax);
    this.#ofCaller.delete(caller);
    this.#ofCaller.set(caller, calls);
    if (this.#ofCaller.size > callersMax) this.#ofCaller.delete(this.#ofCaller.keys().next().value!);
    return calls;
  }
}

/** Stands in place of a secret. */
export const maskedSecret = '********';

/** How often in a second a refused call is examined: what is beyond is refused all the same. */
const examinedPerSecondMax = 40;

/** Placeholder for an id that could be a secret. */
const notShown = '?';

/** A refused call as its API knows it. */
interface Refused<Call extends RefusedCall> {
  readonly address: string;
  readonly path: string;
  /** The id that it names; empty: none. */
  readonly sent: string;
  /** A caller of the site has this id. */
  readonly isKnown: boolean;
  /** The id may be a secret that was sent in its place, which must not be shown. */
  readonly mayBeSecret: boolean;
  /** `isSecret`: the id is the secret of a caller. `examined`: for what takes many digests. */
  mistake(isSecret: boolean, examined: (likely: () => Promise<Mistake>) => Promise<Mistake>): Promise<Mistake>;
  /** The rest of the entry, with the id and the path as they may be shown. */
  entry(id: string, path: string): Omit<Call, 'at' | 'string_to_sign' | 'address' | 'path' | keyof Mistake>;
}

/** Callers with their secrets, a bounded number; read when nothing else explains a refusal. */
export type OtherCallers = () => Promise<readonly { readonly id: string; readonly secret: string }[]>;

/** The refused calls of one signed API, examined for the mistakes that integrators make. */
export class RefusedCalls<Call extends RefusedCall> {
  readonly #log: RefusedCallLog<Call>;
  readonly #clock: Clock;
  readonly #others: OtherCallers;
  readonly #examined = new RateWindow(examinedPerSecondMax, 1000);

  constructor(clock: Clock, others: OtherCallers) {
    this.#clock = clock;
    this.#others = others;
    this.#log = new RefusedCallLog(clock);
  }

  /** Newest first. */
  list(): Counted<Call>[] {
    return this.#log.list();
  }

  async note(call: Refused<Call>): Promise<void> {
    const owner = call.mayBeSecret ? await this.#ownerOf(call.sent) : null;
    const isSecret = owner !== null && owner !== notShown;
    const id = (owner ?? call.sent).slice(0, 64);
    const path = call.path.slice(0, 100);
    const why = await call.mistake(isSecret, async likely => (this.#mayExamine() ? likely() : notExamined));
    const { address } = call;
    this.#log.note(
      call.isKnown || why.mistake === 'secret_as_key' ? id : null,
      `${id} ${address} ${path} ${why.mistake} ${why.message}`,
      { address, path, ...why, ...call.entry(id, path) } as Omit<Call, 'at' | 'string_to_sign'>,
    );
  }

  /** Whose secret was sent as an id; null: nobody's. */
  async #ownerOf(sent: string): Promise<string | null> {
    if (sent === '') return null;
    if (!this.#mayExamine()) return notShown;
    return (await this.#others()).find(({ secret }) => secret === sent)?.id ?? null;
  }

  #mayExamine(): boolean {
    return this.#examined.take(this.#clock.monotonic());
  }
}

/** A mistake that integrators make, and how the signed values differ by it. */
export type Suspect<Values> = readonly [
  mistake: string,
  differs: SignedPart['name'],
  message: string,
  wrong: Partial<Values>,
];

/** Signs again with each mistake, and returns the first that gives the signature that was sent. */
export function firstFit<Values>(
  signature: string,
  right: Values,
  suspects: readonly Suspect<Values>[],
  sign: (values: Values) => string,
): Mistake | null {
  for (const [mistake, differs, message, wrong] of suspects)
    if (sameDigest(signature, sign({ ...right, ...wrong }))) return { mistake, differs, message, named: '' };
  return null;
}
