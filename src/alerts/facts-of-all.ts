import type { Clock } from '../runtime/clock.ts';
import type { Facts as AllFacts } from '../standing/index.ts';
import type { Processes } from '../store/index.ts';

type Facts = Omit<AllFacts, 'channels'>;

/**
 * Facts that each process of a region sees for itself. All other facts are read from the database.
 */
type SharedFacts = Pick<
  Facts,
  | 'disk'
  | 'wearDays'
  | 'line'
  | 'refusedLogins'
  | 'usedTwice'
  | 'clockSynchronized'
  | 'certificateDays'
  | 'update'
  | 'rebooted'
> & {
  /** Ids of devices that are silent here; null: more than fit into a message. */
  readonly silent: readonly string[] | null;
  /** Of those that are silent at other processes: the ones that are connected here. */
  readonly online: readonly string[];
};

/** State here of a device that another process calls silent; null if unknown. */
export type DeviceHere = (deviceId: string) => { readonly name: string; readonly isOnline: boolean } | null;

/** A process that has said nothing for so long is not counted: three of its turns. */
const freshMs = 90_000;
/** Of a message of JSON; NOTIFY bounds it. */
const bytesMax = 7000;
/** Of device ids with two devices, so many are told. */
const usedTwiceMax = 10;
const ask = 'ask';

/** Facts by which the alerts of a region are judged: those of all its processes. */
export class FactsOfAll {
  readonly #own: () => Promise<Facts>;
  readonly #device: DeviceHere;
  readonly #processes: Processes;
  readonly #clock: Clock;
  readonly #others = new Map<number, { readonly at: number; readonly facts: SharedFacts }>();

  /** Called when another process has told its facts. */
  onHeard: () => void = () => {};
  /** The last that was shared. */
  #online: readonly string[] = [];
  /** Silent at the last look: whoever has heard one of them has said so since. */
  #silentBefore: ReadonlySet<string> | null = null;

  constructor(own: () => Promise<Facts>, device: DeviceHere, processes: Processes, clock: Clock) {
    this.#own = own;
    this.#device = device;
    this.#processes = processes;
    this.#clock = clock;
    processes.onMessage('alert-facts', (text, from) => this.#hear(text, from));
  }

  /** Tells the others; to be called every 30 s. */
  async share(): Promise<void> {
    await this.#tell(await this.#own());
  }

  /**
   * Asks the other processes for their facts, without waiting for the next time that they share
   * them.
   */
  async askOthers(): Promise<void> {
    await this.#processes.tell('alert-facts', ask);
  }

  async all(): Promise<Facts> {
    const own = await this.#own();
    await this.#tell(own);
    const others = this.#fresh();
    return { ...merged(own, others), silent: this.#silentOf(own, others) };
  }

  /** Facts as this process knows them at the moment; tells nobody. */
  async now(): Promise<Facts> {
    return merged(await this.#own(), this.#fresh());
  }

  /** Facts that the other processes have told of late. */
  #fresh(): SharedFacts[] {
    const now = this.#clock.monotonic();
    for (const [process, { at }] of this.#others) if (now - at > freshMs) this.#others.delete(process);
    return [...this.#others.values()].map(({ facts }) => facts);
  }

  async #tell(own: Facts): Promise<void> {
    this.#online = this.#onlineHere();
    await this.#processes.tell('alert-facts', sharedText(own, this.#online));
  }

  #onlineHere(): string[] {
    const silent = new Set([...this.#others.values()].flatMap(({ facts }) => facts.silent ?? []));
    return [...silent].filter(deviceId => this.#device(deviceId)?.isOnline);
  }

  /** Silent somewhere, and connected nowhere. */
  #silentOf(own: Facts, others: readonly SharedFacts[]): Facts['silent'] {
    if (own.silent === null || others.some(({ silent }) => silent === null)) return null;
    const found = new Map(own.silent.map(one => [one.deviceId, one]));
    for (const deviceId of others.flatMap(({ silent }) => silent ?? [])) {
      const here = this.#device(deviceId);
      if (here && !here.isOnline && !found.has(deviceId))
        found.set(deviceId, { deviceId, name: here.name, since: null });
    }
    for (const deviceId of others.flatMap(({ online }) => online)) found.delete(deviceId);
    const before = this.#silentBefore;
    this.#silentBefore = new Set(found.keys());
    return before && [...found.values()].filter(({ deviceId }) => before.has(deviceId));
  }

  #hear(text: string, from: number): void {
    if (text !== ask) {
      const facts = factsIn(text);
      if (!facts) return;
      this.#others.set(from, { at: this.#clock.monotonic(), facts });
      this.onHeard();
      const online = this.#onlineHere();
      if (online.length === this.#online.length && online.every(deviceId => this.#online.includes(deviceId))) return;
    }
    // Facts that cannot be had now are shared the next time.
    void this.share().catch(() => {});
  }
}

/** Facts in `text`; null if another version of the program wrote them in another form. */
function factsIn(text: string): SharedFacts | null {
  try {
    const facts = JSON.parse(text) as Partial<SharedFacts>;
    return Array.isArray(facts.online) && facts.silent !== undefined ? (facts as SharedFacts) : null;
  } catch {
    return null;
  }
}

function sharedText(facts: Facts, online: readonly string[]): string {
  const { disk, wearDays, line, refusedLogins, usedTwice, clockSynchronized, certificateDays, update, rebooted } =
    facts;
  const shared = {
    ...{ disk, wearDays, refusedLogins, clockSynchronized, certificateDays, rebooted },
    line: line && { ...line, why: line.why.slice(0, 200) },
    update: update?.slice(0, 200) ?? null,
    usedTwice: usedTwice?.slice(0, usedTwiceMax) ?? null,
  };
  const silent = facts.silent?.map(({ deviceId }) => deviceId) ?? null;
  const text = JSON.stringify({ ...shared, silent, online } satisfies SharedFacts);
  if (Buffer.byteLength(text) <= bytesMax) return text;
  return JSON.stringify({ ...shared, silent: null, online: [] } satisfies SharedFacts);
}

/** The worst of each. The line is that of the one that forwards. */
function merged(own: Facts, others: readonly SharedFacts[]): Facts {
  const all = [own, ...others];
  const disks = all.flatMap(({ disk }) => disk ?? []);
  const lines = all.flatMap(({ line }) => line ?? []);
  return {
    ...own,
    disk: disks.toSorted((one, other) => badness(other) - badness(one))[0] ?? null,
    wearDays: least(all.map(({ wearDays }) => wearDays)),
    // Those that stand by have a line that is neither up nor down since any moment.
    line: lines.find(({ isUp }) => !isUp) ?? lines.find(({ since }) => since !== null) ?? own.line,
    usedTwice: own.usedTwice && all.flatMap(({ usedTwice }) => usedTwice ?? []),
    refusedLogins: sum(all.map(({ refusedLogins }) => refusedLogins)),
    clockSynchronized: worst(
      all.map(({ clockSynchronized }) => clockSynchronized),
      false,
    ),
    certificateDays: least(all.map(({ certificateDays }) => certificateDays)),
    update: all.find(({ update }) => update)?.update ?? own.update,
    rebooted: worst(
      all.map(({ rebooted }) => rebooted),
      true,
    ),
  };
}

/** By what the judge makes of it: one that takes nothing before one that is nearly full. */
const badness = ({ state, isLow, isUnwritable, unreadableRecords, usedPercent }: NonNullable<Facts['disk']>): number =>
  usedPercent + (state !== 'ok' || isLow || isUnwritable || unreadableRecords !== null ? 1000 : 0);

const known = <T>(values: readonly (T | null)[]): T[] => values.filter(value => value !== null);

const least = (values: readonly (number | null)[]): number | null =>
  known(values).length === 0 ? null : Math.min(...known(values));

const sum = (values: readonly (number | null)[]): number | null =>
  known(values).length === 0 ? null : known(values).reduce((total, value) => total + value, 0);

const worst = (values: readonly (boolean | null)[], bad: boolean): boolean | null =>
  values.includes(bad) ? bad : (known(values)[0] ?? null);
