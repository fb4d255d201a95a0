import type { Clock } from '../../runtime/clock.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { SharedPresence } from '../port/region.ts';
import { type SharedConnection, tells } from './side-connection.ts';

/** So long what changes waits for more, so that a thousand logins cost a few statements. */
const gatherMs = 50;
/** In one statement: a NOTIFY of so many numbers of ten digits is under its bound of 8000 bytes. */
const groupMax = 500;
/** How often it is looked whether other processes are still there. */
const lookEveryMs = 2000;

/** Which of the server's processes take part and have their connection. */
const there = `SELECT id FROM process WHERE live AND EXISTS (SELECT FROM pg_stat_activity AS known
  WHERE known.pid = process.pid AND known.backend_start = process.since)`;

/**
 * Which devices are online at the other processes. Each writes down its own and tells the others;
 * what one has said counts until it is gone.
 */
export class OnlineRows implements SharedPresence {
  readonly #line: SharedConnection;
  readonly #clock: Clock;
  readonly #byProcess = new Map<number, Set<DeviceNo>>();
  readonly #listeners: ((deviceNo: DeviceNo, online: boolean) => void)[] = [];
  /** Of this process, that the others have not been told. */
  #changed = new Map<DeviceNo, boolean>();
  #isTelling = false;

  constructor(line: SharedConnection, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    line.on('online', (items, from) => this.#heard(items, from, true));
    line.on('offline', (items, from) => this.#heard(items, from, false));
  }

  /** Reads the state of the others. */
  async start(): Promise<void> {
    const rows = await this.#line.ask<{ device_no: unknown; process: unknown }>({
      name: 'online',
      text: `SELECT device_no, process FROM device_online WHERE process <> $1 AND process IN (${there})`,
      values: [this.#line.me],
    });
    for (const { device_no, process } of rows) this.#heard([String(device_no)], Number(process), true);
  }

  changed(deviceNo: DeviceNo, online: boolean): void {
    this.#changed.set(deviceNo, online);
    if (!this.#isTelling) void this.#tell();
  }

  isElsewhere(deviceNo: DeviceNo): boolean {
    for (const devices of this.#byProcess.values()) if (devices.has(deviceNo)) return true;
    return false;
  }

  onChange(listener: (deviceNo: DeviceNo, online: boolean) => void): void {
    this.#listeners.push(listener);
  }

  /** Looks whether the others are still there, until it is over. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(lookEveryMs, signal).catch(() => {});
      if (!signal.aborted) await this.#look().catch(() => {});
    }
  }

  /** Removes the rows of processes that have ended. */
  async clean(): Promise<void> {
    const text = `DELETE FROM device_online WHERE process NOT IN (${there})`;
    await this.#line.ask({ name: 'clean online', text, values: [] });
  }

  async #look(): Promise<void> {
    const rows = await this.#line.ask<{ id: unknown }>({ name: 'processes', text: there, values: [] });
    const known = new Set(rows.map(({ id }) => Number(id)));
    for (const [process, devices] of this.#byProcess)
      if (!known.has(process)) {
        this.#byProcess.delete(process);
        this.#say(devices, false);
      }
  }

  #heard(items: readonly string[], from: number, online: boolean): void {
    if (from === this.#line.me) return;
    const devices = this.#byProcess.get(from) ?? new Set<DeviceNo>();
    this.#byProcess.set(from, devices);
    const changed = (items.map(Number) as DeviceNo[]).filter(deviceNo => devices.has(deviceNo) !== online);
    for (const deviceNo of changed)
      if (online) devices.add(deviceNo);
      else devices.delete(deviceNo);
    this.#say(changed, online);
  }

  #say(devices: Iterable<DeviceNo>, online: boolean): void {
    for (const deviceNo of devices) for (const listener of this.#listeners) listener(deviceNo, online);
  }

  async #tell(): Promise<void> {
    this.#isTelling = true;
    while (this.#changed.size > 0) {
      await this.#clock.sleep(gatherMs);
      const changed = [...this.#changed];
      this.#changed = new Map();
      for (const online of [true, false]) {
        const devices = changed.filter(([, is]) => is === online).map(([deviceNo]) => deviceNo);
        for (let at = 0; at < devices.length; at += groupMax)
          await this.#write(devices.slice(at, at + groupMax), online).catch(() => {});
      }
    }
    this.#isTelling = false;
  }

  async #write(devices: readonly DeviceNo[], online: boolean): Promise<void> {
    const { me } = this.#line;
    const write = online
      ? `INSERT INTO device_online (device_no, process) SELECT unnest($2::bigint[]), $1::bigint
          ON CONFLICT (device_no, process) DO NOTHING RETURNING device_no::text AS item`
      : `DELETE FROM device_online WHERE process = $1::bigint AND device_no = ANY($2::bigint[])
          RETURNING device_no::text AS item`;
    await this.#line.ask({
      name: online ? 'came online' : 'went offline',
      text: `WITH written AS (${write}), told AS (${tells(online ? 'online' : 'offline', me, 'written')})
        SELECT count(*) FROM told`,
      values: [me, devices],
    });
  }
}
