import type { AuditChain } from '../../../platform/audit-heads.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';
import { ownSubjects, subjectOf } from '../../../words/audit-own.ts';
import { type AuditNote, type appendAudit, bounded, chainOf } from './entries.ts';

/** The audit log, as the parts of the box write it. */
export interface Audit {
  /**
   * Resolves when the entry is committed, or held in memory because the disk takes no writes. Never
   * rejects. Repeated refusals of the same action from the same address within a minute are
   * counted, and become one entry when the minute is over.
   */
  note(entry: AuditNote): Promise<void>;
  /**
   * Notes a read of protected data by a caller that may read often (an integrator that fetches
   * features): the first of a minute is an entry at once, the others of the same person and action
   * are counted in one. `action` is a route, not a path with ids in it.
   */
  noteRead(entry: Omit<AuditNote, 'outcome' | 'read'>): Promise<void>;
  /**
   * Entries that wait in memory for a disk that takes no writes, and how many found no room there.
   */
  readonly waiting: { readonly entries: number; readonly lost: number };
}

type Write = Parameters<typeof appendAudit>[1];

/** Repeats of an action in one minute. */
interface Repeats {
  readonly minute: number;
  entry: AuditNote;
  count: number;
  firstAt: number;
  lastAt: number;
}

const minuteMs = 60_000;
/**
 * While entries are counted or held: how often to check whether the minute is over, and whether the
 * store takes writes again.
 */
const lookMs = 10_000;
/** An attacker with many addresses causes at most so many single entries in a minute … */
const refusalsOneByOne = 20;
/**
 * … and so many counted ones; further addresses are counted together by action, and further actions
 * all together.
 */
const countedMax = 60;
const waitingMax = 1000;

/** Counts repeats, and holds entries in memory while the store takes no writes. */
export class AuditLog implements Audit, AsyncDisposable {
  readonly #write: (entry: Write) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #repeats = new Map<string, Repeats>();
  #waiting: Write[] = [];
  #lost = { count: 0, from: 0, to: 0 };
  #oneByOne = { minute: 0, count: 0 };
  #looking = false;
  readonly #ending = new AbortController();

  constructor(options: { write: (entry: Write) => Promise<unknown>; clock: Clock; log: Log }) {
    this.#write = options.write;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  get waiting(): Audit['waiting'] {
    return { entries: this.#waiting.length, lost: this.#lost.count };
  }

  async note(entry: AuditNote): Promise<void> {
    if (entry.outcome === 'refused') return this.#count(entry, `${entry.address}\0${entry.action}`);
    await this.#put({ ...bounded(entry), at: this.#clock.now() });
  }

  async noteRead(entry: Omit<AuditNote, 'outcome' | 'read'>): Promise<void> {
    await this.#count({ ...entry, outcome: 'done', read: true }, `${entry.actor}\0${entry.address}\0${entry.action}`);
  }

  async #count(whole: AuditNote, what: string): Promise<void> {
    const entry = bounded(whole);
    const now = this.#clock.now();
    const minute = Math.floor(now / minuteMs);
    const chain = chainOf(entry);
    let key = `${chain}\0${what}`;
    const known = this.#repeats.get(key);
    if (known?.minute === minute) return add(known, entry, now);
    if (known) await this.#close(key, known);
    if (this.#repeats.size < countedMax) {
      const repeats = { minute, entry, count: 0, firstAt: now, lastAt: now };
      this.#repeats.set(key, repeats);
      this.#look();
      if (this.#isOneByOne(chain, minute)) return this.#put({ ...entry, at: now });
      repeats.count = 1;
      return;
    }
    let together: AuditNote = {
      ...entry,
      actor: '',
      role: '',
      address: '',
      ...subjectOf(ownSubjects.say('many_addresses')),
    };
    key = `${chain}\0\0${entry.action}`;
    if (!this.#repeats.has(key) && this.#repeats.size >= countedMax * 2) {
      together = { ...together, action: 'many actions' };
      key = `${chain}\0\0`;
    }
    const others = this.#repeats.get(key);
    if (others?.minute === minute) return add(others, together, now);
    if (others) await this.#close(key, others);
    this.#repeats.set(key, { minute, entry: together, count: 1, firstAt: now, lastAt: now });
    this.#look();
  }

  #isOneByOne(chain: AuditChain, minute: number): boolean {
    if (chain !== 'refused') return true;
    if (this.#oneByOne.minute !== minute) this.#oneByOne = { minute, count: 0 };
    return ++this.#oneByOne.count <= refusalsOneByOne;
  }

  async #close(key: string, repeats: Repeats): Promise<void> {
    this.#repeats.delete(key);
    const { entry, count, firstAt, lastAt } = repeats;
    if (count > 0) await this.#put({ ...entry, at: firstAt, lastAt, count });
  }

  async #put(entry: Write): Promise<void> {
    // Queued after the held entries, to keep the order, and so that a full disk is not tried for
    // each refusal.
    if (this.#waiting.length > 0) return this.#wait(entry);
    try {
      await this.#write(entry);
    } catch (error) {
      if (this.#waiting.length === 0)
        this.#log.warn({ error: (error as Error).message }, 'audit_log_not_written', { waitingMax });
      this.#wait(entry);
    }
  }

  #wait(entry: Write): void {
    if (this.#waiting.length < waitingMax) this.#waiting.push(entry);
    else {
      const { count, from } = this.#lost;
      this.#lost = { count: count + (entry.count ?? 1), from: count === 0 ? entry.at : from, to: entry.at };
    }
    this.#look();
  }

  /** Runs while entries are counted or held. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    const looking = async () => {
      while (this.#repeats.size > 0 || this.#waiting.length > 0) {
        await this.#clock.sleep(lookMs, this.#ending.signal);
        const minute = Math.floor(this.#clock.now() / minuteMs);
        for (const [key, repeats] of [...this.#repeats]) if (repeats.minute !== minute) await this.#close(key, repeats);
        await this.#writeWaiting();
      }
      this.#looking = false;
    };
    looking().catch(() => {}); // Ends by the signal alone.
  }

  async #writeWaiting(): Promise<void> {
    const waiting = this.#waiting.slice();
    if (waiting.length === 0) return;
    try {
      // Only the first: a disk that is still full is tried once.
      await this.#write(waiting[0]!);
    } catch {
      return;
    }
    this.#waiting.shift();
    // The rest together: the store commits them at once.
    const rest = waiting.slice(1);
    const written = await Promise.allSettled(rest.map(entry => this.#write(entry)));
    this.#waiting = [
      ...rest.filter((_, index) => written[index]!.status === 'rejected'),
      ...this.#waiting.slice(rest.length),
    ];
    if (this.#waiting.length > 0 || this.#lost.count === 0) return;
    const { count, from, to } = this.#lost;
    this.#lost = { count: 0, from: 0, to: 0 };
    const about = subjectOf(ownSubjects.say('lost_while_full', { count, waiting: waitingMax }));
    const box = { actor: 'box', role: 'box', address: '', outcome: 'done' } as const;
    await this.#put({ ...box, action: 'audit entries lost', ...about, at: from, lastAt: to, count });
  }

  /** Writes the counted and the held entries, if the store takes them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    for (const [key, repeats] of [...this.#repeats]) await this.#close(key, repeats);
    await this.#writeWaiting();
    if (this.#waiting.length > 0) this.#log.error({ entries: this.#waiting.length }, 'audit_entries_lost');
  }
}

/** Fields that differ among the repeats are left empty. */
function add(repeats: Repeats, { actor, role, subject, said }: AuditNote, now: number): void {
  const { entry } = repeats;
  if (repeats.count === 0) {
    repeats.firstAt = now;
    repeats.entry = { ...entry, actor, role, subject, said };
  } else
    repeats.entry = {
      ...entry,
      actor: entry.actor === actor ? actor : '',
      role: entry.role === role ? role : '',
      subject: entry.subject === subject ? subject : '',
      said: entry.subject === subject ? said : undefined,
    };
  repeats.count++;
  repeats.lastAt = now;
}
