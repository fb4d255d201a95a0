import type { Clock } from '../runtime/clock.ts';
import type { AccountStore, LocalUser, SessionPurpose } from '../store/index.ts';
import { mayBeToken, newToken, tokenHash } from './tokens.ts';

/** A person who is logged in at a browser. */
export interface BrowserSession {
  readonly idHash: string;
  readonly purpose: SessionPurpose;
  readonly user: LocalUser;
}

const hourMs = 3600_000;
/** A session ends a week after login, and a day after it was used last. */
const lifetimeMs = 7 * 24 * hourMs;
const idleMs = 24 * hourMs;
/** So often a session that is used is written down again. */
const seenEveryMs = 5 * 60_000;

const credentialOf = (user: LocalUser): string => tokenHash(`password ${user.passwordHash}`);

/**
 * Sessions of browsers, kept in the store, so that they survive a restart and can be listed and
 * ended. A changed password ends them too. Each has one purpose: a session of the admin pages does
 * not sign in to applications, and vice versa.
 */
export class Sessions {
  readonly #store: AccountStore;
  readonly #clock: Clock;

  constructor(options: { store: AccountStore; clock: Clock }) {
    this.#store = options.store;
    this.#clock = options.clock;
  }

  /** Returns the id; from now on only the browser has it. */
  async open(
    user: LocalUser,
    { purpose, address, agent }: { purpose: SessionPurpose; address: string; agent: string },
  ): Promise<string> {
    const id = newToken();
    const at = this.#clock.now();
    await this.#store.write.openSession({
      idHash: tokenHash(id),
      userName: user.name,
      purpose,
      credential: credentialOf(user),
      at,
      endsAt: at + lifetimeMs,
      address,
      agent: agent.slice(0, 200),
    });
    return id;
  }

  /** `isUse` false: only checks whether it is still valid, which does not extend it. */
  async find(id: string | undefined, purpose: SessionPurpose, { isUse = true } = {}): Promise<BrowserSession | null> {
    if (id === undefined || !mayBeToken(id)) return null;
    const idHash = tokenHash(id);
    const session = await this.#store.read.session(idHash);
    const now = this.#clock.now();
    if (!session || session.purpose !== purpose || session.endsAt <= now || session.seenAt + idleMs <= now) return null;
    if (session.credential !== credentialOf(session.user)) return null;
    if (isUse && session.seenAt + seenEveryMs <= now)
      // A store that cannot write now is no reason to be logged out.
      await this.#store.write.seeSession({ idHash, at: now }).catch(() => {});
    return { idHash, purpose, user: session.user };
  }

  async end(session: BrowserSession): Promise<void> {
    await this.#store.write.endSessions({ idHash: session.idHash });
  }
}
