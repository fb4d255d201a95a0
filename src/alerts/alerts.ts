import type { Alert, AlertChannel, AlertMessage } from '../platform/alerts.ts';
import { isOpenWindow } from '../platform/open-window.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock, Random, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type Facts, judge, type Stands } from '../standing/index.ts';
import type { AlertStore } from '../store/index.ts';
import { channelFailures } from '../words/channels.ts';
import { type GivenReason, whyIn } from '../words/sentences.ts';
import { announce, type Grouping } from './announce.ts';
import { ChannelQueue, type ChannelState, failureOf, unusedChannel } from './channel-queue.ts';
import type { Channel } from './channels/channel.ts';
import { compose, composeTest, type Letterhead } from './compose.ts';
import { type EngineState, engineOf, step } from './engine.ts';
import { parseQuietHours, quietAt } from './quiet-hours.ts';
import { type AlertSettings, channelsIn, inForce, rulesOf, waitMsOf } from './settings.ts';
import { Unsaved } from './unsaved.ts';

/** A box that never warns is soon forgotten. */
export const muteMsMax = 7 * 24 * 3600_000;

export interface AlertsOptions {
  readonly store: AlertStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Read twice a minute: it costs next to nothing. */
  readonly facts: () => Promise<Omit<Facts, 'channels'>>;
  readonly head: Letterhead;
  /** Settings of the config, which the page cannot change. */
  readonly fixed: AlertSettings;
  /** `named`: the config names its address. */
  readonly channel: (name: AlertChannel, settings: AlertSettings, named: boolean) => Channel;
}

export interface ChannelReport extends ChannelState {
  readonly name: AlertChannel;
  readonly isFixed: boolean;
  readonly waiting: number;
}

/** The alerts, and all that wants a person whether an alert is sent of it or not. */
export interface Alerts extends Judge {
  /** List of what wants a person now, and the open alerts whose trouble is not over. */
  standing(): Promise<Stands>;
}

export interface Judge extends AsyncDisposable {
  /** Open alerts, the oldest first. */
  open(): readonly Alert[];
  channels(): ChannelReport[];
  /** Nothing is announced before. */
  readonly mutedUntil: UnixMs;
  readonly isQuiet: boolean;
  /** The settings: those of the config, and those that were chosen on the page. */
  settings(): { readonly fixed: AlertSettings; readonly chosen: AlertSettings };
  /** Replaces what was chosen on the page. */
  choose(chosen: AlertSettings): Promise<void>;
  mute(until: UnixMs): Promise<void>;
  /** Sends a test. Resolves to null, or to the reason why it did not get through. */
  test(name: AlertChannel, signal: AbortSignal): Promise<GivenReason | null>;
  /** Looks at the facts now: they have just changed. */
  look(): void;
}

const everyMs = 30_000;
/** Where what is kept beside the alerts stands in the store. */
export const alertKeys = { settings: 'settings', mute: 'muted until', channel: (name: string) => `channel ${name}` };

/** Looks at the facts every 30 s, keeps what follows, and sends what is to be said. */
export async function openJudge(options: AlertsOptions): Promise<Judge> {
  const { read } = options.store;
  const chosen = parsed<AlertSettings>(await read.alertSetting(alertKeys.settings)) ?? {};
  const alerts = new OpenAlerts(options, {
    alerts: await read.currentAlerts(),
    messages: await read.alertMessages(),
    chosen,
    mutedUntil: parsed<number>(await read.alertSetting(alertKeys.mute)) ?? 0,
  });
  await alerts.openChannels();
  alerts.begin();
  return alerts;
}

class OpenAlerts implements Judge {
  readonly #options: AlertsOptions;
  readonly #unsaved: Unsaved;
  readonly #queues = new Map<AlertChannel, ChannelQueue>();
  #state: EngineState;
  #lastAt: Grouping['lastAt'] = new Map();
  #messages: readonly AlertMessage[];
  #chosen: AlertSettings;
  #mutedUntil: UnixMs;
  #lineWasUp = true;
  #job: BackgroundJob | null = null;
  #lastId = 0;

  constructor(
    options: AlertsOptions,
    kept: { alerts: Alert[]; messages: AlertMessage[]; chosen: AlertSettings; mutedUntil: UnixMs },
  ) {
    this.#options = options;
    this.#state = engineOf(kept.alerts);
    this.#messages = kept.messages;
    this.#chosen = kept.chosen;
    this.#mutedUntil = kept.mutedUntil;
    this.#unsaved = new Unsaved(options.store, options.clock, options.log);
  }

  begin(): void {
    const { clock, log } = this.#options;
    this.#job = new BackgroundJob({
      clock,
      everyMs,
      retryMs: () => everyMs,
      firstAfterMs: everyMs,
      run: () => this.#look(),
      onFailed: error => log.warn({ error: String(error) }, 'alerts_not_checked'),
    });
  }

  look(): void {
    this.#job?.poke();
  }

  open(): readonly Alert[] {
    return this.#state.alerts.filter(({ overAt }) => overAt === null);
  }

  channels(): ChannelReport[] {
    const { fixed } = this.#options;
    return [...this.#queues].map(([name, queue]) => ({
      name,
      isFixed: fixed[name] !== undefined,
      waiting: queue.waiting,
      ...queue.state,
    }));
  }

  /** 0: not muted. */
  get mutedUntil(): UnixMs {
    return isOpenWindow(this.#mutedUntil, muteMsMax, this.#options.clock.now()) ? this.#mutedUntil : 0;
  }

  get isQuiet(): boolean {
    return this.#quiet().isQuiet;
  }

  settings() {
    return { fixed: this.#options.fixed, chosen: this.#chosen };
  }

  async choose(chosen: AlertSettings): Promise<void> {
    await this.#options.store.write.putAlertSetting({ key: alertKeys.settings, value: JSON.stringify(chosen) });
    this.#chosen = chosen;
    await this.#closeChannels();
    await this.openChannels();
    this.look();
  }

  async mute(until: UnixMs): Promise<void> {
    await this.#options.store.write.putAlertSetting({ key: alertKeys.mute, value: JSON.stringify(until) });
    this.#mutedUntil = until;
  }

  async test(name: AlertChannel, signal: AbortSignal): Promise<GivenReason | null> {
    const queue = this.#queues.get(name);
    if (!queue) return channelFailures.say('channel_not_set_up');
    const { clock, head } = this.#options;
    const now = clock.now();
    const content = composeTest(head, now);
    try {
      await queue.test({ id: this.#newId(), content }, signal);
    } catch {
      this.#keepChannel(name, queue.state);
      return failureOf(queue.state);
    }
    this.#keepChannel(name, queue.state);
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#job?.[Symbol.asyncDispose]();
    await this.#closeChannels();
    await this.#unsaved.save();
  }

  async openChannels(): Promise<void> {
    const { store, clock, random, fixed, channel } = this.#options;
    const settings = this.#settings();
    const names = channelsIn(settings);
    // Messages for a channel that is gone are not sent.
    for (const one of this.#messages) if (!names.includes(one.channel)) this.#unsaved.removed(one);
    this.#messages = this.#messages.filter(({ channel: name }) => names.includes(name));
    for (const name of names) {
      const state = parsed<ChannelState>(await store.read.alertSetting(alertKeys.channel(name))) ?? unusedChannel;
      this.#queues.set(
        name,
        new ChannelQueue({
          ...{ name, state, clock, random },
          channel: channel(name, settings, fixed[name] !== undefined),
          messages: this.#messages.filter(message => message.channel === name),
          onChange: (change, after) => this.#changed(name, change, after),
        }),
      );
    }
  }

  async #closeChannels(): Promise<void> {
    const queues = [...this.#queues.values()];
    this.#queues.clear();
    await Promise.all(queues.map(queue => queue[Symbol.asyncDispose]()));
  }

  async #look(): Promise<void> {
    const { clock, facts, head } = this.#options;
    const settings = this.#settings();
    const rules = rulesOf(settings);
    const found: Facts = { ...(await facts()), channels: channelFacts(this.channels()) };
    const moment = { now: clock.now(), monotonic: clock.monotonic() };
    const before = this.#state;
    const stepped = step(before, judge(found, rules), rules, moment, () => this.#newId());
    const { isQuiet, endedAt } = this.#quiet();
    const said = announce(
      stepped.alerts,
      { isQuiet, quietEndedAt: endedAt, mutedUntil: this.mutedUntil },
      { waitMs: waitMsOf(settings), lastAt: this.#lastAt },
      moment,
    );
    this.#lastAt = said.lastAt;
    this.#state = { ...stepped, alerts: said.alerts.filter(one => !one.isDone) };
    const known = new Set(before.alerts);
    for (const one of said.alerts) if (!known.has(one)) this.#unsaved.alert(one);
    const messages = said.drafts.flatMap(draft => this.#addressed(compose(draft, head, moment.now)));
    for (const one of messages) this.#unsaved.message(one);
    // On a disk that takes nothing it is kept in memory, and sent all the same.
    await this.#unsaved.save();
    this.#messages = [...this.#messages, ...messages];
    for (const one of messages) this.#queues.get(one.channel)?.add(one);
    const isUp = found.line?.isUp ?? true;
    if (isUp && !this.#lineWasUp) for (const queue of this.#queues.values()) queue.retryNow();
    this.#lineWasUp = isUp;
  }

  /** One message for each channel. Of a channel that fails, the others tell. */
  #addressed(content: AlertMessage['content']): AlertMessage[] {
    const about = new Set(content.alerts.filter(({ kind }) => kind === 'channel').map(({ subject }) => subject));
    const isAboutOne = about.size > 0 && content.kind === 'channel';
    return [...this.#queues.keys()]
      .filter(name => !isAboutOne || !about.has(name) || content.type === 'over')
      .map(channel => ({ id: this.#newId(), channel, attempts: 0, nextAt: content.at, content }));
  }

  #changed(name: AlertChannel, change: { changed?: AlertMessage; removed?: AlertMessage }, state: ChannelState): void {
    const { changed, removed } = change;
    if (changed) {
      this.#messages = this.#messages.map(one => (one.id === changed.id ? changed : one));
      this.#unsaved.message(changed);
    }
    if (removed) {
      this.#messages = this.#messages.filter(one => one.id !== removed.id);
      this.#unsaved.removed(removed);
    }
    if (state.failures === 1) this.#options.log.warn({ channel: name, why: state.why }, 'alert_not_sent');
    void this.#unsaved.save();
    this.#keepChannel(name, state);
  }

  #keepChannel(name: AlertChannel, state: ChannelState): void {
    const { write } = this.#options.store;
    // On a full disk it is kept with the next message.
    write.putAlertSetting({ key: alertKeys.channel(name), value: JSON.stringify(state) }).catch(() => {});
  }

  #settings(): AlertSettings {
    return inForce(this.#options.fixed, this.#chosen);
  }

  #quiet() {
    const hours = parseQuietHours(this.#settings().quiet_hours ?? '');
    return quietAt(hours, this.#options.clock.now(), this.#options.head.timeZone);
  }

  /** In the order in which they were made, also over a restart. */
  #newId(): string {
    const { clock, random } = this.#options;
    this.#lastId = Math.max(this.#lastId + 1, clock.now());
    const chance = Math.floor(random() * 36 ** 6).toString(36);
    return `msg_${this.#lastId.toString(36).padStart(9, '0')}${chance.padStart(6, '0')}`;
  }
}

export const channelFacts = (channels: readonly ChannelReport[]): Facts['channels'] =>
  channels.map(({ name, failures, ...of }) => ({ name, failures, ...whyIn(of) }));

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
