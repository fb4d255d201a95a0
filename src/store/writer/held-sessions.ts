import { StoreError } from '../port/journal.ts';
import type { StoreReader, StoreWriter } from '../port/store.ts';

type Opening = Parameters<StoreWriter['openSession']>[0];

/**
 * Sessions in memory: more than anybody needs on the day the disk is full. Beyond it the oldest is
 * dropped, and that person has to sign in again.
 */
const heldMax = 200;
const endedMax = 10_000;

/**
 * Sessions while the store takes no writes (a full disk), so that staff can sign in and make room.
 * A session that could not be written is kept in memory, and one that could not be removed counts
 * as ended; both are written when the store takes writes again.
 */
export class HeldSessions {
  readonly #write: StoreWriter;
  readonly #read: StoreReader;
  readonly #held = new Map<string, Opening & { seenAt: number }>();
  readonly #ended = new Set<string>();
  readonly #takesWrites: () => boolean;
  #settling: Promise<void> | null = null;

  /** `takesWrites`: as far as is known at the moment. */
  constructor(write: StoreWriter, read: StoreReader, takesWrites: () => boolean) {
    this.#write = write;
    this.#read = read;
    this.#takesWrites = takesWrites;
  }

  readonly writes: Pick<StoreWriter, 'openSession' | 'seeSession' | 'endSessions'> = {
    openSession: async session => {
      try {
        await this.#write.openSession(session);
      } catch (error) {
        if (!isRefusedWrite(error)) throw error;
        this.#held.set(session.idHash, { ...session, seenAt: session.at });
        if (this.#held.size > heldMax) this.#held.delete(this.#held.keys().next().value!);
        this.#settleIfPossible();
      }
    },
    seeSession: async seen => {
      const held = this.#held.get(seen.idHash);
      if (held) held.seenAt = seen.at;
      else await this.#write.seeSession(seen);
    },
    endSessions: async which => {
      const stored = 'idHash' in which ? [which] : await this.#read.sessions(which.userName);
      let count = 0;
      for (const [idHash, { userName }] of this.#held)
        if ('idHash' in which ? idHash === which.idHash : userName === which.userName) {
          this.#held.delete(idHash);
          count++;
        }
      if ('idHash' in which && count > 0) return count;
      try {
        return count + (await this.#write.endSessions(which));
      } catch (error) {
        if (!isRefusedWrite(error)) throw error;
        for (const { idHash } of stored) {
          if (this.#ended.size >= endedMax) throw error;
          this.#ended.add(idHash);
        }
        this.#settleIfPossible();
        return count + stored.length;
      }
    },
  };

  readonly reads: Pick<StoreReader, 'session' | 'sessions'> = {
    session: async idHash => {
      const held = this.#held.get(idHash);
      if (!held) return this.#ended.has(idHash) ? null : this.#read.session(idHash);
      return this.#sessionOf(held);
    },
    sessions: async userName => {
      const stored = (await this.#read.sessions(userName)).filter(one => !this.#ended.has(one.idHash));
      const held = [...this.#held.values()].filter(one => one.userName === userName);
      const found = await Promise.all(held.map(one => this.#sessionOf(one)));
      return [...found.filter(one => one !== null), ...stored];
    },
  };

  /**
   * There may have been room again before the refusal arrived here: nobody says so a second time,
   * and a restart would log that person out.
   */
  #settleIfPossible(): void {
    if (this.#takesWrites()) this.settle().catch(() => {});
  }

  /** The store takes writes again. What it still refuses stays here. */
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = null;
    });
    return this.#settling;
  }

  async #settle(): Promise<void> {
    for (const idHash of [...this.#ended]) {
      await this.#write.endSessions({ idHash });
      this.#ended.delete(idHash);
    }
    for (const [idHash, { seenAt, ...session }] of [...this.#held]) {
      await this.#write.openSession(session);
      if (seenAt > session.at) await this.#write.seeSession({ idHash, at: seenAt });
      // Somebody may have ended it meanwhile.
      if (!this.#held.delete(idHash)) await this.#write.endSessions({ idHash });
    }
  }

  async #sessionOf({ userName, at, ...session }: Opening & { seenAt: number }) {
    const user = await this.#read.user(userName);
    return user && { ...session, user, openedAt: at };
  }
}

const isRefusedWrite = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'disk_full' || error.code === 'read_only' || error.code === 'broken');
