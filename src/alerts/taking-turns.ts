import type { Alert, AlertChannel, AlertMessage } from '../platform/alerts.ts';
import { isOpenWindow } from '../platform/open-window.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { AlertStore, Processes, Turn } from '../store/index.ts';
import { type Alerts, type AlertsOptions, alertKeys, type ChannelReport, muteMsMax, openAlerts } from './alerts.ts';
import { ChannelQueue, type ChannelState, unusedChannel } from './channel-queue.ts';
import { type Channel, SendFailed } from './channels/channel.ts';
import { composeTest } from './compose.ts';
import { type DeviceHere, FactsOfAll } from './facts-of-all.ts';
import { parseQuietHours, quietAt } from './quiet-hours.ts';
import { type AlertSettings, channelsIn, inForce } from './settings.ts';

const everyMs = 30_000;
const elsewhere = 'another process of this region sends the alerts';

/** What the store has of the alerts. */
interface Kept {
  readonly alerts: readonly Alert[];
  readonly messages: readonly AlertMessage[];
  readonly channels: ReadonlyMap<AlertChannel, ChannelState>;
  readonly chosen: AlertSettings;
  readonly mutedUntil: UnixMs;
}

/**
 * The alerts of one of several processes. The one that has the turn judges, by the facts of all of
 * them, and sends: it goes on from what is stored, so that nothing is announced again. The others
 * show what is stored.
 */
export const openAlertsInTurn = async (options: AlertsInTurnOptions): Promise<Alerts> =>
  new AlertsInTurn(options, await readKept(options));

interface AlertsInTurnOptions extends AlertsOptions {
  readonly turn: Turn;
  readonly processes: Processes;
  readonly device: DeviceHere;
}

class AlertsInTurn implements Alerts {
  readonly #options: AlertsInTurnOptions;
  readonly #turn: Turn;
  readonly #processes: Processes;
  readonly #facts: FactsOfAll;
  readonly #jobs: readonly BackgroundJob[];
  #kept: Kept;
  #judging: Alerts | null = null;

  constructor(options: AlertsInTurnOptions, kept: Kept) {
    const { turn, processes, device } = options;
    this.#options = options;
    this.#turn = turn;
    this.#processes = processes;
    this.#kept = kept;
    const { clock, log, facts } = options;
    this.#facts = new FactsOfAll(facts, device, processes, clock);
    this.#facts.onHeard = () => this.#judging?.look();
    processes.onMessage('alerts', () => void this.#refresh());
    const job = { clock, everyMs, retryMs: () => everyMs };
    const onFailed = (error: unknown) =>
      log.warn({ error: String(error) }, 'the alerts could not be looked at; tried again in 30 s');
    this.#jobs = [
      new BackgroundJob({ ...job, turn, run: signal => this.#judge(signal), onFailed }),
      new BackgroundJob({ ...job, run: () => this.#standBy(), onFailed }),
    ];
  }

  open(): readonly Alert[] {
    return this.#judging?.open() ?? this.#kept.alerts.filter(({ overAt }) => overAt === null);
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
    const { mutedUntil } = this.#kept;
    return isOpenWindow(mutedUntil, muteMsMax, this.#options.clock.now()) ? mutedUntil : 0;
  }

  get isQuiet(): boolean {
    const { clock, head } = this.#options;
    return quietAt(parseQuietHours(this.#inForce.quiet_hours ?? ''), clock.now(), head.timeZone).isQuiet;
  }

  settings() {
    return { fixed: this.#options.fixed, chosen: this.#kept.chosen };
  }

  async choose(chosen: AlertSettings): Promise<void> {
    await this.#put(alertKeys.settings, chosen);
  }

  async mute(until: UnixMs): Promise<void> {
    await this.#put(alertKeys.mute, until);
  }

  /** Also where another process sends them: whoever asks wants to know whether it gets through. */
  async test(name: AlertChannel, signal: AbortSignal): Promise<string | null> {
    if (this.#judging) return this.#judging.test(name, signal);
    const { clock, random, head, fixed, channel } = this.#options;
    if (!channelsIn(this.#inForce).includes(name)) return 'it is not set up';
    await using queue = new ChannelQueue({
      ...{ name, clock, random, state: unusedChannel, messages: [], onChange() {} },
      channel: channel(name, this.#inForce, fixed[name] !== undefined),
    });
    const now = clock.now();
    const id = `msg_${now.toString(36)}${Math.floor(random() * 36 ** 6).toString(36)}`;
    const message = { id, channel: name, attempts: 0, nextAt: now, content: composeTest(head, now) };
    return queue.test(message, signal).then(
      () => null,
      () => queue.state.why || 'it was broken off',
    );
  }

  look(): void {
    if (this.#judging) this.#judging.look();
    else void this.#facts.share().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#jobs.map(job => job[Symbol.asyncDispose]()));
  }

  get #inForce(): AlertSettings {
    return inForce(this.#options.fixed, this.#kept.chosen);
  }

  async #put(key: string, value: unknown): Promise<void> {
    await this.#options.store.write.putAlertSetting({ key, value: JSON.stringify(value) });
    await this.#refresh();
    void this.#processes.tell('alerts', '');
  }

  /** Until the turn is over, or this process ends. */
  async #judge(signal: AbortSignal): Promise<void> {
    const { channel, log } = this.#options;
    await this.#facts.askOthers();
    await using judging = await openAlerts({
      ...this.#options,
      store: this.#storeInTurn(),
      facts: () => this.#facts.all(),
      channel: (...asked) => whileInTurn(this.#turn, channel(...asked)),
    });
    this.#judging = judging;
    log.info({}, 'this process sends the alerts');
    try {
      if (!signal.aborted) await new Promise(over => signal.addEventListener('abort', over, { once: true }));
    } finally {
      this.#judging = null;
    }
  }

  async #standBy(): Promise<void> {
    await this.#refresh();
    if (!this.#judging) await this.#facts.share();
  }

  /** What was chosen or muted through another process is in force for whoever judges. */
  async #refresh(): Promise<void> {
    try {
      this.#kept = await readKept(this.#options);
      const judging = this.#judging;
      if (!judging) return;
      const { chosen } = this.#kept;
      if (JSON.stringify(judging.settings().chosen) !== JSON.stringify(chosen)) await judging.choose(chosen);
      if (judging.mutedUntil !== this.mutedUntil) await judging.mute(this.#kept.mutedUntil);
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, 'the alerts could not be read; tried again in 30 s');
    }
  }

  /** What is stored of the alerts the others show at once; nothing is stored after the turn. */
  #storeInTurn(): AlertStore {
    const { read, write } = this.#options.store;
    const inTurn = async (act: () => Promise<void>) => {
      if (!this.#turn.isMine) throw new Error(elsewhere);
      await act();
      void this.#processes.tell('alerts', '');
    };
    return {
      read,
      write: {
        saveAlerts: input => inTurn(() => write.saveAlerts(input)),
        putAlertSetting: input => inTurn(() => write.putAlertSetting(input)),
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

/** The same channel, which sends nothing once the turn is over, also if its timer is late. */
const whileInTurn = (turn: Turn, channel: Channel): Channel => ({
  perMinute: channel.perMinute,
  async send(...message) {
    if (!turn.isMine) throw new SendFailed(elsewhere);
    await channel.send(...message);
  },
});
