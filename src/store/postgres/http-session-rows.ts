import { randomBytes } from 'node:crypto';
import { sameDigest } from '../../platform/signature.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { SharedHttpSession, SharedHttpSessions } from '../port/region.ts';
import type { Seal } from '../schema/sealing.ts';
import { type SharedConnection, tells } from './side-connection.ts';

/** Sealed bytes are bound to it: one session's cannot stand for another's. */
const placeOf = (hash: string) => `http_session.sealed ${hash}`;
const valueCharacters = 43;
/** So much of a fingerprint keeps made-up values from the database. Who sees it learns nothing. */
const markCharacters = 16;
/** A row whose session has been silent for so much longer is removed by whoever looks. */
const graceMs = 60_000;

interface Row {
  readonly device_no: unknown;
  readonly made: unknown;
  readonly sealed: Uint8Array;
  readonly lifetime: unknown;
}

/**
 * Sessions of devices over HTTP as rows. Times are the server's: the clocks of the processes may
 * differ. The row holds the hash of a value, and the session sealed with the region's key.
 */
export class HttpSessionRows implements SharedHttpSessions {
  readonly #line: SharedConnection;
  readonly #seal: Seal;

  constructor(line: SharedConnection, seal: Seal) {
    this.#line = line;
    this.#seal = seal;
  }

  newValue(): string {
    const value = randomBytes(32).toString('base64url');
    return value + this.#markOf(value);
  }

  isOurs(value: string): boolean {
    if (value.length !== valueCharacters + markCharacters) return false;
    return sameDigest(value.slice(valueCharacters), this.#markOf(value.slice(0, valueCharacters)));
  }

  async open(hash: string, { deviceNo, said, lifetimeMs }: SharedHttpSession): Promise<number> {
    const [row] = await this.#line.ask<{ made: unknown }>({
      name: 'open http session',
      text: `WITH older AS (DELETE FROM http_session WHERE device_no = $2::bigint AND hash NOT IN
          (SELECT hash FROM http_session WHERE device_no = $2::bigint ORDER BY made DESC LIMIT 1) RETURNING hash AS item),
        opened AS (INSERT INTO http_session (hash, device_no, sealed, lifetime, heard_at)
          VALUES ($1, $2::bigint, $3, $4, now_ms()) RETURNING made),
        told AS (${tells('ended', this.#line.me, 'older')})
        SELECT made FROM opened, (SELECT count(*) FROM told) AS all_told`,
      values: [hash, deviceNo, this.#seal.sealText(said, placeOf(hash)), lifetimeMs],
    });
    return Number(row!.made);
  }

  async find(hash: string): Promise<(SharedHttpSession & { readonly made: number }) | null> {
    const [row] = await this.#use(hash);
    if (!row) return null;
    const said = this.#seal.openText(row.sealed, placeOf(hash));
    const deviceNo = Number(row.device_no) as DeviceNo;
    return { deviceNo, said, lifetimeMs: Number(row.lifetime), made: Number(row.made) };
  }

  used(hash: string): void {
    this.#use(hash).catch(() => {});
  }

  heard(sessions: readonly { readonly hash: string; readonly silentMs: number }[]): void {
    if (sessions.length === 0) return;
    this.#line
      .ask({
        name: 'http sessions heard',
        // One that somebody else is writing is heard by them, or over.
        text: `UPDATE http_session SET heard_at = greatest(http_session.heard_at, now_ms() - heard.silent)
          FROM unnest($1::text[], $2::bigint[]) AS heard (hash, silent),
            (SELECT hash FROM http_session WHERE hash = ANY($1::text[]) FOR UPDATE SKIP LOCKED) AS free
          WHERE http_session.hash = heard.hash AND free.hash = heard.hash`,
        values: [sessions.map(({ hash }) => hash), sessions.map(({ silentMs }) => Math.round(silentMs))],
      })
      .catch(() => {});
  }

  async end(hash: string): Promise<boolean> {
    return (await this.#endWhere('end http session', 'hash = $1', [hash])) > 0;
  }

  async endSilent(hash: string): Promise<boolean> {
    const silent = 'hash = $1 AND heard_at + lifetime < now_ms()';
    return (await this.#endWhere('end silent http session', silent, [hash])) > 0;
  }

  async endAllOf(deviceNo: DeviceNo): Promise<void> {
    // The latest first, as their use takes them, so that neither waits for the other.
    const all = 'hash IN (SELECT hash FROM http_session WHERE device_no = $1 ORDER BY made DESC FOR UPDATE)';
    await this.#endWhere('end http sessions of device', all, [deviceNo]);
  }

  onEnded(listener: (hash: string) => void): void {
    this.#line.on('ended', hashes => hashes.forEach(listener));
  }

  /** Removes those that nobody holds any more, as after a crash of the process that did. */
  async clean(): Promise<void> {
    await this.#line.ask({
      name: 'clean http sessions',
      text: 'DELETE FROM http_session WHERE heard_at + lifetime + $1 < now_ms()',
      values: [graceMs],
    });
  }

  #use(hash: string): Promise<Row[]> {
    return this.#line.ask<Row>({
      name: 'use http session',
      text: `WITH used AS (UPDATE http_session SET heard_at = now_ms()
          WHERE hash = $1 AND heard_at + lifetime >= now_ms() RETURNING device_no, made, sealed, lifetime),
        older AS (DELETE FROM http_session AS old USING used
          WHERE old.device_no = used.device_no AND old.made < used.made RETURNING old.hash AS item),
        told AS (${tells('ended', this.#line.me, 'older')})
        SELECT used.* FROM used, (SELECT count(*) FROM told) AS all_told`,
      values: [hash],
    });
  }

  async #endWhere(name: string, where: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.#line.ask<{ ended: unknown }>({
      name,
      text: `WITH gone AS (DELETE FROM http_session WHERE ${where} RETURNING hash AS item),
        told AS (${tells('ended', this.#line.me, 'gone')})
        SELECT (SELECT count(*) FROM gone) AS ended, (SELECT count(*) FROM told) AS told`,
      values,
    });
    return Number(row!.ended);
  }

  #markOf(value: string): string {
    return this.#seal.fingerprint('http session', value).slice(0, markCharacters);
  }
}
