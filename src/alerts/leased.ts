import type { Alert, AlertChannel, AlertMessage } from '../platform/alerts.ts';
import { isOpenWindow } from '../platform/open-window.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { UnixMs } from '../runtime/clock.ts';
import { WhileMine } from '../runtime/while-mine.ts';
import { type Stands, standing } from '../standing/index.ts';
import type { AlertStore, Lease, Processes } from '../store/index.ts';
import { channelFailures } from '../words/channels.ts';
import { type GivenReason, SaidError } from '../words/sentences.ts';
import {
  type Alerts,
  type AlertsOptions,
  alertKeys,
  type ChannelReport,
  channelFacts,
  type Judge,
  muteMsMax,
  openJudge,
} from './alerts.ts';
import { type ChannelState, sendOnce, unusedChannel } from './channel-queue.ts';
import { type Channel, SendFailed } from './channels/channel.ts';
import { composeTest } from './compose.ts';
import { type DeviceHere, FactsOfAll } from './facts-of-all.ts';
import { parseQuietHours, quietAt } from './quiet-hours.ts';
import { type AlertSettings, channelsIn, inForce, rulesOf } from './settings.ts';

const everyMs = 30_000;
const elsewhere = channelFailures.say('channel_elsewhere');

/** Alerts as the store has them. */
interface Kept {
  readonly alerts: readonly Alert[];
  readonly messages: readonly AlertMessage[];
  readonly channels: ReadonlyMap<AlertChannel, ChannelState>;
  readonly chosen: AlertSettings;
  readonly mutedUntil: UnixMs;
}

const nothingKept: Kept = { alerts: [], messages: [], channels: new Map(), chosen: {}, mutedUntil: 0 };

/**
 * The alerts of one process. While it has the lease it judges, by the facts of all, and sends: it
 * goes on from what is stored, so that nothing is announced again. The others show what is stored.
 */
export async function openAlerts(options: LeasedAlertsOptions): Promise<Alerts> {
  const alerts = new LeasedAlerts(options);
  await alerts.begin();
  return alerts;
}

interface LeasedAlertsOptions extends AlertsOptions {
  readonly lease: Lease;
  readonly processes: Processes;
  readonly device: DeviceHere;
}

class LeasedAlerts implements Alerts {
  readonly #options: LeasedAlertsOptions;
  readonly #facts: FactsOfAll;
  #judge: WhileMine<Judge> | null = null;
  #job: BackgroundJob | null = null;
  /** Of the process that judges, as far as this one knows it. */
  #kept = nothingKept;
  /** Last change or read of others' choices; each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LeasedAlertsOptions) {
    this.#options = options;
    const { facts, device, processes, clock } = options;
    this.#facts = new FactsOfAll(facts, device, processes, clock);
    this.#facts.onHeard = () => this.#judging?.look();
    processes.onMessage('alerts', () => void this.#refresh());
  }

  async begin(): Promise<void> {
    const { lease, clock, log } = this.#options;
    this.#judge = await WhileMine.open({
      ...{ lease, clock },
      open: () => this.#openJudge(),
      onLost: () => void this.#refresh(),
      onFailed: error => log.warn({ error: String(error) }, 'alerts_not_opened'),
    });
    if (!this.#judging) this.#kept = await readKept(this.#options);
    this.#job = new BackgroundJob({
      ...{ clock, everyMs, retryMs: () => everyMs },
      run: () => this.#standBy(),
      onFailed: error => log.warn({ error: String(error) }, 'alerts_not_checked'),
    });
  }

  get #judging(): Judge | null {
    return this.#judge?.current ?? null;
  }

  open(): readonly Alert[] {
    return this.#judging?.open() ?? this.#kept.alerts.filter(({ overAt }) => overAt === null);
  }

  async standing(): Promise<Stands> {
    const { fixed, chosen } = this.settings();
    const facts = { ...(await this.#facts.now()), channels: channelFacts(this.channels()) };
    return standing(facts, rulesOf(inForce(fixed, chosen)), this.open());
  }

  channels(): ChannelReport[] {
    if (this.#judging) return this.#judging.channels();
    const { messages, channels } = this.#kept;
    return channelsIn(this.#inForce).map(name => ({
      name,
      isFixed: this.#options.fixed[name] !== undefined,
      waiting: messages.filter(({ channel }) => channel === name).length,
      ...(channels.get(name) ?? unusedChannel),
    }));
  }

  get mutedUntil(): UnixMs {
    return this.#judging?.mutedUntil ?? this.#openMute(this.#kept.mutedUntil);
  }

  get isQuiet(): boolean {
    if (this.#judging) return this.#judging.isQuiet;
    const { clock, head } = this.#options;
    return quietAt(parseQuietHours(this.#inForce.quiet_hours ?? ''), clock.now(), head.timeZone).isQuiet;
  }

  settings() {
    return this.#judging?.settings() ?? { fixed: this.#options.fixed, chosen: this.#kept.chosen };
  }

  choose(chosen: AlertSettings): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#judging) return this.#judging.choose(chosen);
      await this.#put(alertKeys.settings, chosen);
    });
  }

  mute(until: UnixMs): Promise<void> {
    return this.#inOrder(async () => {
      if (this.#judging) return this.#judging.mute(until);
      await this.#put(alertKeys.mute, until);
    });
  }

  /** Also where another process sends them: whoever asks wants to know whether it gets through. */
  async test(name: AlertChannel, signal: AbortSignal): Promise<GivenReason | null> {
    if (this.#judging) return this.#judging.test(name, signal);
    const { clock, random, head, fixed, channel } = this.#options;
    if (!channelsIn(this.#inForce).includes(name)) return channelFailures.say('channel_not_set_up');
    const now = clock.now();
    const id = `msg_${now.toString(36)}${Math.floor(random() * 36 ** 6).toString(36)}`;
    const opened = channel(name, this.#inForce, fixed[name] !== undefined);
    return sendOnce({ name, clock, random, channel: opened }, { id, content: composeTest(head, now) }, signal);
  }

  look(): void {
    if (this.#judging) this.#judging.look();
    else void this.#facts.share().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#job?.[Symbol.asyncDispose]();
    await this.#judge?.[Symbol.asyncDispose]();
    await this.#last;
  }

  get #inForce(): AlertSettings {
    return inForce(this.#options.fixed, this.#kept.chosen);
  }

  async #put(key: string, value: unknown): Promise<void> {
    await this.#options.store.write.putAlertSetting({ key, value: JSON.stringify(value) });
    this.#kept = await readKept(this.#options);
    void this.#options.processes.tell('alerts', '');
  }

  #inOrder(act: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #openJudge(): Promise<Judge> {
    const { lease, channel } = this.#options;
    await this.#facts.askOthers();
    return openJudge({
      ...this.#options,
      store: this.#leasedStore(),
      facts: () => this.#facts.all(),
      channel: (...asked) => whileLeased(lease, channel(...asked)),
    });
  }

  async #standBy(): Promise<void> {
    await this.#refresh();
    if (!this.#judging) await this.#facts.share();
  }

  /** Applies what was chosen or muted through another process. */
  #refresh(): Promise<void> {
    return this.#inOrder(async () => {
      this.#kept = await readKept(this.#options);
      const judging = this.#judging;
      if (!judging) return;
      const { chosen, mutedUntil } = this.#kept;
      if (JSON.stringify(judging.settings().chosen) !== JSON.stringify(chosen)) await judging.choose(chosen);
      if (judging.mutedUntil !== this.#openMute(mutedUntil)) await judging.mute(mutedUntil);
    }).catch(error => this.#options.log.warn({ error: String(error) }, 'alerts_not_read'));
  }

  #openMute(until: UnixMs): UnixMs {
    return isOpenWindow(until, muteMsMax, this.#options.clock.now()) ? until : 0;
  }

  /** Store of alerts that the others show at once; writes nothing without the lease. */
  #leasedStore(): AlertStore {
    const { lease, processes } = this.#options;
    const { read, write } = this.#options.store;
    const leased = async (act: () => Promise<void>) => {
      if (!lease.isMine) throw new SaidError(elsewhere);
      await act();
      void processes.tell('alerts', '');
    };
    return {
      read,
      write: {
        saveAlerts: input => leased(() => write.saveAlerts(input)),
        putAlertSetting: input => leased(() => write.putAlertSetting(input)),
      },
    };
  }
}

async function readKept({ store, fixed }: AlertsOptions): Promise<Kept> {
  const setting = async <T>(key: string): Promise<T | null> => {
    const text = await store.read.alertSetting(key);
    return text === null ? null : (JSON.parse(text) as T);
  };
  const chosen = (await setting<AlertSettings>(alertKeys.settings)) ?? {};
  const channels = new Map<AlertChannel, ChannelState>();
  for (const name of channelsIn(inForce(fixed, chosen)))
    channels.set(name, (await setting<ChannelState>(alertKeys.channel(name))) ?? unusedChannel);
  return {
    ...{ chosen, channels },
    alerts: await store.read.currentAlerts(),
    messages: await store.read.alertMessages(),
    mutedUntil: (await setting<number>(alertKeys.mute)) ?? 0,
  };
}

/** The same channel, which sends nothing once the lease is lost, also if its timer is late. */
const whileLeased = (lease: Lease, channel: Channel): Channel => ({
  perMinute: channel.perMinute,
  async send(...message) {
    if (!lease.isMine) throw new SendFailed(elsewhere);
    await channel.send(...message);
  },
});
