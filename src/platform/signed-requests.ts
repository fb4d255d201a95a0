import type { Clock } from '../runtime/clock.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import type { CallerUse } from './caller-uses.ts';
import { RequestRows } from './request-rows.ts';
import type { SignedPart } from './signature.ts';
import { type Mistake, plainMistake, type SignedRequest } from './signed-request.ts';

const notExamined = plainMistake('not_examined', 'not examined: too many calls are refused at once');

/** How often in a second a refused call is examined: what is beyond is refused all the same. */
const examinedPerSecondMax = 40;

/** Placeholder for an id that could be a secret. */
const notShown = '?';

const hourMs = 3_600_000;

const idCharactersMax = 64;
const pathCharactersMax = 100;
const detailCharactersMax = 160;

/** Properties of every request. */
interface Came {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  /** Of the monotonic clock. */
  readonly startedAt: number;
}

interface Answered {
  readonly status: number;
  readonly code: number;
}

/** A request that was refused before its caller was known, as its API knows it. */
interface Refused extends Came, Answered {
  /** The id that it names; empty: none. */
  readonly sent: string;
  /** A caller of the site has this id. */
  readonly isKnown: boolean;
  /** The id may be a secret that was sent in its place, which must not be shown. */
  readonly mayBeSecret: boolean;
  /** `isSecret`: the id is the secret of a caller. `examined`: for what takes many digests. */
  mistake(isSecret: boolean, examined: (likely: () => Promise<Mistake>) => Promise<Mistake>): Promise<Mistake>;
  /** The right string, with the id and the path as they may be shown. */
  parts(id: string, path: string): readonly SignedPart[];
}

/** A request whose caller is known. */
interface Identified extends Came, Answered {
  readonly caller: string;
  readonly command: string;
  /** `detail` is a field or a rule that was broken, and names nobody; null: accepted. */
  readonly why: { readonly mistake: string; readonly detail: string } | null;
}

/** Callers with their secrets, a bounded number; read when nothing else explains a refusal. */
export type OtherCallers = () => Promise<readonly { readonly id: string; readonly secret: string }[]>;

/**
 * Requests of one signed API: rejected ones, examined for the mistakes that integrators make, and
 * those of the last hour that were accepted. In memory, with the bounds of RequestRows; after a
 * restart the callers call again.
 */
export class SignedRequests {
  readonly #rows = new RequestRows();
  readonly #clock: Clock;
  readonly #others: OtherCallers;
  readonly #used: (caller: string, use: CallerUse) => void;
  readonly #examined = new RateWindow(examinedPerSecondMax, 1000);

  constructor(options: {
    readonly clock: Clock;
    readonly others: OtherCallers;
    /** Called for every request with a right signature. */
    readonly used: (caller: string, use: CallerUse) => void;
  }) {
    this.#clock = options.clock;
    this.#others = options.others;
    this.#used = options.used;
  }

  /** When a request begins, for its duration. */
  started(): number {
    return this.#clock.monotonic();
  }

  /** Rejected ones since the start, then accepted ones of the last hour; each newest first. */
  list(): SignedRequest[] {
    const after = this.#clock.now() - hourMs;
    return this.#rows
      .list()
      .filter(({ why, at }) => why !== null || at > after)
      .sort((one, other) => Number(other.why !== null) - Number(one.why !== null) || other.at - one.at);
  }

  /** Those whose caller was not identified, newest first. */
  refused(): SignedRequest[] {
    return this.list().filter(({ identified }) => !identified);
  }

  /** A request whose signature was right. */
  identified({ caller, address, method, path, command, startedAt, status, code, why }: Identified): void {
    const at = this.#clock.now();
    const ms = this.#clock.monotonic() - startedAt;
    const detail = why === null ? '' : withoutValues(why.detail);
    const key = `${address} ${method} ${path} ${command} ${status} ${code} ${detail}`;
    this.#rows.note('identified', caller, key, ms, at, () => ({
      ...{ caller, identified: true, address, method, path, command, status, code },
      ...{ parts: [], why: why && plainMistake(why.mistake, detail) },
    }));
    this.#used(caller, { at, address, call: command === '' ? path : `${path} ${command}` });
  }

  async reject(call: Refused): Promise<void> {
    const ms = this.#clock.monotonic() - call.startedAt;
    const owner = call.mayBeSecret ? await this.#ownerOf(call.sent) : null;
    const isSecret = owner !== null && owner !== notShown;
    const id = copyOf(owner ?? call.sent, idCharactersMax);
    const path = copyOf(call.path, pathCharactersMax);
    const likely = await call.mistake(isSecret, async likely => (this.#mayExamine() ? likely() : notExamined));
    const why = { ...likely, signed: copiesOf(likely.signed) };
    const { address, method, status, code } = call;
    const key = `${id} ${address} ${method} ${path} ${why.mistake} ${why.message}`;
    const isOfCaller = call.isKnown || why.mistake === 'secret_as_key';
    this.#rows.note('rejected', isOfCaller ? id : null, key, ms, this.#clock.now(), () => ({
      ...{ caller: id, identified: false, address, method, path, command: '', status, code, why },
      parts: copiesOf(call.parts(id, path)),
    }));
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

const textCharactersMax = 200;

/** A slice would keep the whole header that it was cut from. */
const copyOf = (text: string, max: number): string => Buffer.from(text.slice(0, max)).toString();
const copiesOf = (parts: readonly SignedPart[]): SignedPart[] =>
  parts.map(({ name, text }) => ({ name, text: copyOf(text, textCharactersMax) }));

/** Values that a caller sent stand between quotation marks. */
const withoutValues = (detail: string): string => detail.replace(/"[^"]*"/g, '"…"').slice(0, detailCharactersMax);
