import { hostname } from 'node:os';
import type { Client } from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { programVersion } from '../../runtime/version.ts';
import type { Reason } from '../../words/sentences.ts';
import { EngineError } from '../schema/engine-failures.ts';
import { schemaVersion } from '../schema/migrate.ts';
import { type NotedChange, readSeen, recognize, writeSeen } from './lineage.ts';
import { isConnected } from './process-tables.ts';
import { connected } from './side-connection.ts';
import { changeWarnings, clockWarnings, type NotedProcess, versionWarnings } from './warnings.ts';

const lookEveryMs = 5000;
/** An answer that took longer says too little about the server's clock. */
const answerMsMax = 2000;

/** Commits as records do: what is seen is on the standby too. */
const toldQuery = `WITH gone AS (
    DELETE FROM process_note WHERE NOT EXISTS (SELECT FROM process WHERE id = process_note.process)),
  told AS (
    INSERT INTO process_note (process, name, program, schema_version, clock_ahead_ms) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (process) DO UPDATE SET clock_ahead_ms = excluded.clock_ahead_ms),
    counted AS (UPDATE beat SET no = no + 1, at = now_ms() RETURNING no, at)
  SELECT counted.no, counted.at, (SELECT value FROM counter WHERE name = 'checkin') AS checkin,
    (SELECT coalesce(max(id), 0) FROM access_record) AS access FROM counted`;

const othersQuery = `SELECT process.id, note.name, note.program, note.schema_version, note.clock_ahead_ms
  FROM process LEFT JOIN process_note AS note ON note.process = process.id WHERE ${isConnected} ORDER BY process.id`;

const changesQuery = `SELECT now_ms() AS now, (SELECT value FROM meta WHERE key = 'restored') AS restored,
  (SELECT value FROM meta WHERE key = 'copied') AS copied`;

interface NotesOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Notes of processes about themselves in the database, every few seconds, and faults of them
 * together: clocks that differ, versions that differ, a database that is not what it was. On a
 * connection of its own, where it may wait for a standby.
 */
export class ProcessNotes implements AsyncDisposable {
  readonly #client: Client;
  readonly #options: NotesOptions;
  /** Of the store, from now on. */
  readonly epoch: string;
  readonly #ending = new AbortController();
  #aheadMs = 0;
  /** Live, and without a word of their own, at the last look. */
  #silent = new Set<string>();
  #warnings: readonly Reason[] = [];
  /** Where the server called a commit done, and warned that no standby has it. */
  readonly #doubts: string[];
  #running: Promise<void> = Promise.resolve();

  private constructor(client: Client, epoch: string, doubts: string[], options: NotesOptions) {
    this.#client = client;
    this.epoch = epoch;
    this.#doubts = doubts;
    this.#options = options;
  }

  /** Looks first whether it is the database that this process has seen. Throws EngineError. */
  static async start(options: NotesOptions): Promise<ProcessNotes> {
    const { url, dataDir, log } = options;
    let client: Client | null = null;
    try {
      client = await connected(url);
      // The watch says that the server has ended its connections.
      client.on('error', () => {});
      const doubts: string[] = [];
      client.on('notice', ({ severity, message }) => {
        if (severity === 'WARNING') doubts.push(message ?? '');
      });
      const seen = readSeen(dataDir);
      const { epoch, is } = await recognize(client, seen);
      if (is === 'earlier') log.warn({ seen: seen?.at }, 'database_of_earlier_state');
      if (is === 'copy') log.warn({}, 'database_is_copy');
      if (doubts.length > 0) throw new Error(`PostgreSQL warns: ${doubts.join('; ')}`);
      return new ProcessNotes(client, epoch, doubts, options);
    } catch (error) {
      await client?.end().catch(() => {});
      throw new EngineError((error as Error).message, '', 'broken');
    }
  }

  /** Until it is disposed. `process`: the number of this process, which is in. */
  follow(process: number): void {
    this.#running = this.#run(process);
  }

  /** A sentence for each thing that is wrong, with what to do. */
  warnings(): readonly Reason[] {
    return this.#warnings;
  }

  async #run(process: number): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#measureClock();
        await this.#tell(process);
        await this.#look();
      } catch {
        // The watch reports a database that takes no writes, or a broken connection.
      }
      await clock.sleep(lookEveryMs, signal).catch(() => {});
    }
  }

  async #measureClock(): Promise<void> {
    const { clock } = this.#options;
    const asked = clock.now();
    const begun = clock.monotonic();
    const { rows } = await this.#client.query<{ now: string }>('SELECT now_ms() AS now');
    const tookMs = clock.monotonic() - begun;
    if (tookMs < answerMsMax) this.#aheadMs = Math.round(asked + tookMs / 2 - Number(rows[0]!.now));
  }

  async #tell(process: number): Promise<void> {
    const { dataDir } = this.#options;
    this.#doubts.length = 0;
    const name = `${hostname()}:${dataDir}`;
    const values = [process, name, programVersion, schemaVersion, this.#aheadMs];
    const { rows } = await this.#client.query<Record<'no' | 'at' | 'checkin' | 'access', string>>(toldQuery, values);
    const [row] = rows;
    if (!row || this.#doubts.length > 0) return;
    await writeSeen(dataDir, {
      ...{ epoch: this.epoch, process, beat: Number(row.no), at: Number(row.at) },
      ...{ checkinId: Number(row.checkin), accessId: Number(row.access) },
    }).catch(error => this.#options.log.warn({ error: String(error) }, 'database_progress_not_stored'));
  }

  async #look(): Promise<void> {
    const { log } = this.#options;
    const { rows } = await this.#client.query<NoteRow>(othersQuery);
    // One that is just starting has not said anything yet.
    const silent = new Set(rows.filter(({ name }) => name === null).map(({ id }) => id));
    const processes = rows.filter(({ id }) => !silent.has(id) || this.#silent.has(id)).map(noted);
    this.#silent = silent;
    const [now] = (await this.#client.query<Record<'now' | 'restored' | 'copied', string | null>>(changesQuery)).rows;
    const changeOf = (text: string | null | undefined) => (text ? (JSON.parse(text) as NotedChange) : null);
    const clocks = clockWarnings(processes);
    const versions = versionWarnings(processes);
    const isNew = ({ reason }: Reason) => !this.#warnings.some(known => sameBut(known.reason, reason));
    for (const { reason: why } of clocks.filter(isNew)) log.warn({ why }, 'process_clocks_differ');
    for (const { reason: why } of versions.filter(isNew)) log.warn({ why }, 'process_versions_differ');
    const changes = { restored: changeOf(now?.restored), copied: changeOf(now?.copied) };
    this.#warnings = [...changeWarnings(Number(now?.now), changes), ...clocks, ...versions];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#client.end().catch(() => {});
    await this.#running;
  }
}

/** How far a clock is off changes all the time. */
const sameBut = (one: string, other: string): boolean => one.replace(/ \d+ s /, '') === other.replace(/ \d+ s /, '');

interface NoteRow {
  readonly id: string;
  readonly name: string | null;
  readonly program: string | null;
  readonly schema_version: string | null;
  readonly clock_ahead_ms: string | null;
}

const noted = ({ id, name, program, schema_version, clock_ahead_ms }: NoteRow): NotedProcess => ({
  name: name ?? `process ${id}`,
  // Two builds of one version may have different migrations.
  version:
    program === programVersion && Number(schema_version) !== schemaVersion
      ? `${program} with ${schema_version} migrations`
      : program,
  clockAheadMs: Number(clock_ahead_ms ?? 0),
});
