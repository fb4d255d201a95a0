import type { IncomingMessage } from 'node:http';
import type { Site } from '../../platform/site.ts';
import type { Clock, UnixMs } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { OwnPagePerson, OwnPageStore, SharedStore } from '../../store/index.ts';
import { addressKey } from '../guess-brake.ts';
import { plainCode, randomCode } from '../random-code.ts';
import { RegionBrake } from '../region-brake.ts';
import { cookieIn, isFromHere } from '../staff/access.ts';
import { mayBeToken, newToken, tokenHash } from '../tokens.ts';

const dayMs = 24 * 3600_000;
/** A code that was not used ends after so long. */
const codeMs = 14 * dayMs;
/** A browser stays signed in for a year, if its person comes by every two months. */
const sessionMs = 365 * dayMs;
const idleMs = 60 * dayMs;
const seenEveryMs = 3600_000;

/** `__Host-`: only over TLS, only from this host; `Strict`: sent by the box's own pages only. */
export const ownPageCookie = {
  name: '__Host-gatehouse-me',
  rules: { path: '/', secure: true, httpOnly: true, sameSite: 'Strict', maxAge: sessionMs / 1000 },
} as const;

const safe = new Set(['GET', 'HEAD']);

/**
 * Access to "My attendance": an employee with an access code from the clerk, once; afterwards the
 * browser that used it. A code has 59 bits and one use, so that nobody guesses one: at ten tries a
 * second, one of 5,000 open codes in 240,000 years. The brake (twenty wrong ones from an address
 * are free, then one every two seconds) is there for the load alone.
 */
export class OwnPageAccess {
  readonly #store: OwnPageStore;
  readonly #clock: Clock;
  readonly #site: Pick<Site, 'timezone'>;
  readonly #brake: RegionBrake;

  constructor({
    store,
    clock,
    site,
  }: { store: OwnPageStore & SharedStore; clock: Clock; site: Pick<Site, 'timezone'> }) {
    this.#store = store;
    this.#clock = clock;
    this.#site = site;
    this.#brake = new RegionBrake({ name: 'access code', free: 20, waitMaxMs: 2000 }, store.shared.guesses);
  }

  /**
   * A new code for each of these people, in place of one that is not used yet; all or none.
   */
  async makeCodes(extIds: readonly string[]): Promise<
    | {
        readonly ok: true;
        readonly codes: readonly (OwnPagePerson & { readonly code: string })[];
        readonly endsAt: UnixMs;
      }
    | { readonly ok: false; readonly missing: readonly string[] }
  > {
    const codes = new Map(extIds.map(extId => [extId, randomCode(3)]));
    const { at, today } = this.#now();
    const endsAt = at + codeMs;
    const made = await this.#store.write.makeAccessCodes({
      codes: [...codes].map(([extId, code]) => ({ extId, code: plainCode(code) })),
      ...{ today, at, endsAt },
    });
    if (!made.ok) return made;
    return { ok: true, codes: made.people.map(one => ({ ...one, code: codes.get(one.extId)! })), endsAt };
  }

  /** Uses up a code. A number: the seconds to wait; the code was not checked. */
  async open(
    written: string,
    address: string,
  ): Promise<{ readonly id: string; readonly extId: string } | 'wrong' | number> {
    const monotonic = this.#clock.monotonic();
    const tried = await this.#brake.begin(addressKey(address), monotonic);
    if (typeof tried === 'number') return Math.ceil(tried / 1000);
    const id = newToken();
    const { at, today } = this.#now();
    const code = plainCode(written);
    const opened = { code, idHash: tokenHash(id), today, at, endsAt: at + sessionMs };
    try {
      // A wrong one costs no write.
      const isThere = await this.#store.read.hasAccessCode({ code, at });
      const extId = isThere ? await this.#store.write.openOwnSession(opened) : null;
      tried.end(monotonic, extId === null ? 'wrong' : 'right');
      return extId === null ? 'wrong' : { id, extId };
    } catch (error) {
      tried.end(monotonic, 'not_looked_at');
      throw error;
    }
  }

  /** `no_page`: nobody is signed in here. `forged`: asked for by a page of another site. */
  async identify(request: IncomingMessage): Promise<OwnPagePerson | 'no_page' | 'forged'> {
    const idHash = idHashOf(request);
    if (idHash === null) return 'no_page';
    const { at, today } = this.#now();
    const session = await this.#store.read.ownSession({ idHash, today });
    if (!session || session.endsAt <= at || session.seenAt + idleMs <= at) return 'no_page';
    if (!safe.has(request.method ?? '') && !isFromHere(request)) return 'forged';
    // A store that cannot write now is no reason to be signed out.
    if (session.seenAt + seenEveryMs <= at) await this.#store.write.seeOwnSession({ idHash, at }).catch(() => {});
    return session;
  }

  async end(request: IncomingMessage): Promise<void> {
    const idHash = idHashOf(request);
    if (idHash !== null) await this.#store.write.endOwnSession({ idHash });
  }

  async retire(): Promise<void> {
    const at = this.#clock.now();
    await this.#store.write.retireOwnAccess({ at, seenBefore: at - idleMs });
  }

  #now() {
    const at = this.#clock.now();
    return { at, today: dayOf(at, this.#site.timezone).day };
  }
}

function idHashOf(request: IncomingMessage): string | null {
  const id = cookieIn(request.headers.cookie, ownPageCookie.name);
  return id !== undefined && mayBeToken(id) ? tokenHash(id) : null;
}
