import { eventTopics } from '../platform/event-topics.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceNo, DirectoryStore, Store } from '../store/index.ts';

/** Facts that the box publishes about itself; each is read while somebody listens. */
export interface BoxFacts {
  /** The uplink, such as `{state: "up", since, why, waiting, parked}`. */
  line(): Promise<Readonly<Record<string, unknown>>>;
  /** Open alerts by kind. */
  alerts(): readonly AlertFact[];
  /** Version, disk, backlog, counts of today. */
  box(): Promise<Readonly<Record<string, unknown>>>;
  isOnline(deviceNo: DeviceNo): boolean;
  onPresence(listener: (deviceNo: DeviceNo, online: boolean) => void): void;
}

export interface AlertFact {
  readonly kind: string;
  readonly severity: string;
  readonly since: UnixMs;
  readonly title: string;
  /** Subjects of a kind: device ids, or names of channels. */
  readonly subjects: readonly string[];
}

interface StateOptions {
  readonly facts: BoxFacts;
  readonly store: DirectoryStore & Pick<Store, 'onPeopleChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (topic: string, payload: string, options?: { readonly retain: boolean }) => Promise<void>;
}

const lookMs = 2000;
/** Counts change all the time: they are said again after so long. */
const countsEveryMs = 15_000;

/**
 * The topics that hold how things are now, retained: presence, the line, alerts, the box. Each is
 * said when it changes; whoever subscribes later hears the last one.
 */
export class BoxState implements AsyncDisposable {
  readonly #options: StateOptions;
  /** By topic, what was said last. */
  readonly #said = new Map<string, string>();
  readonly #job: BackgroundJob;
  #countsAt = Number.NEGATIVE_INFINITY;
  #hasPeopleChanged = false;

  constructor(options: StateOptions) {
    this.#options = options;
    const { facts, store, clock, log } = options;
    this.#job = new BackgroundJob({
      clock,
      everyMs: lookMs,
      retryMs: () => lookMs,
      run: () => this.#look(),
      onFailed: error => log.warn({ error: String(error) }, 'box_state_not_published'),
    });
    facts.onPresence(deviceNo => void this.#sayPresence(deviceNo));
    store.onPeopleChange(() => {
      this.#hasPeopleChanged = true;
      this.#job.poke();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }

  async #look(): Promise<void> {
    const { store, facts, clock, publish } = this.#options;
    const now = clock.monotonic();
    for (const { deviceNo } of store.directory.devices()) await this.#sayPresence(deviceNo);
    const alerts = this.#byTopic(facts.alerts());
    const isOther = [...alerts].some(([topic, text]) => this.#said.get(topic) !== text);
    const over = [...this.#said.keys()].filter(topic => topic.startsWith(eventTopics.alert('')) && !alerts.has(topic));
    for (const [topic, text] of alerts) await this.#say(topic, text);
    for (const topic of over) await this.#end(topic);
    if (now - this.#countsAt >= countsEveryMs || isOther || over.length > 0) {
      this.#countsAt = now;
      await this.#say(eventTopics.box, JSON.stringify(await facts.box()));
    }
    await this.#say(eventTopics.line, JSON.stringify(await facts.line()));
    if (this.#hasPeopleChanged) {
      this.#hasPeopleChanged = false;
      await publish(eventTopics.peopleChanged, JSON.stringify({ at: clock.now() }));
    }
  }

  #byTopic(alerts: readonly AlertFact[]): Map<string, string> {
    return new Map(alerts.map(({ kind, ...alert }) => [eventTopics.alert(kind), JSON.stringify({ kind, ...alert })]));
  }

  async #sayPresence(deviceNo: DeviceNo): Promise<void> {
    const { store, facts, clock } = this.#options;
    const device = store.directory.deviceByNo(deviceNo);
    if (!device) return;
    const topic = eventTopics.presence(device.deviceId);
    const online = facts.isOnline(deviceNo);
    const known = this.#said.get(topic);
    const same = { device_id: device.deviceId, device_name: device.name, online };
    // The moment is that of the change: the same state is not said again for its sake.
    if (known !== undefined && JSON.stringify({ ...JSON.parse(known), at: 0 }) === JSON.stringify({ ...same, at: 0 }))
      return;
    await this.#say(topic, JSON.stringify({ ...same, at: clock.now() }));
  }

  async #say(topic: string, text: string): Promise<void> {
    if (this.#said.get(topic) === text) return;
    this.#said.set(topic, text);
    await this.#options.publish(topic, text, { retain: true });
  }

  /** Publishes an end once; it is not retained for later subscribers. */
  async #end(topic: string): Promise<void> {
    const last = JSON.parse(this.#said.get(topic) ?? '{}') as object;
    this.#said.delete(topic);
    const { clock, publish } = this.#options;
    await publish(topic, JSON.stringify({ ...last, over_at: clock.now() }));
    await publish(topic, '', { retain: true });
  }
}
