import { type AlertSettings, type Alerts, inForce, sendOnce } from '../alerts/index.ts';
import {
  type DailyReportEntry,
  type DailyReports,
  deviceName,
  openDailyReports,
  type ReportsThread,
} from '../attendance/index.ts';
import { alertLanguage } from '../platform/alert-words.ts';
import type { ChannelMessage } from '../platform/daily-report.ts';
import type { Services } from '../services/index.ts';
import type { DeviceNo } from '../store/index.ts';
import { channelFailures } from '../words/channels.ts';
import type { GivenReason } from '../words/sentences.ts';
import { channelsOf, pagesAt } from './alerts.ts';
import type { OwnAddress } from './own-address.ts';
import type { Storage } from './storage.ts';

interface Parts {
  readonly alerts: Pick<Alerts, 'settings'>;
  readonly reports: Pick<ReportsThread, 'daily'>;
  readonly services: Pick<Services, 'push' | 'sendShort'>;
  readonly ownAddress: OwnAddress;
}

/** Daily attendance reports; nothing of them is loaded before there is one or somebody asks. */
export class BoxDailyReports implements AsyncDisposable {
  readonly #storage: Storage;
  readonly #parts: Parts;
  #opened: Promise<DailyReports> | null = null;

  constructor(storage: Storage, parts: Parts) {
    this.#storage = storage;
    this.#parts = parts;
  }

  /** In a region another process may set up the first one. */
  async openWhereAny(): Promise<void> {
    const { config, store } = this.#storage;
    const isAlone = config.store.engine === 'sqlite';
    if (config.attendance.daily_reports.length > 0 || !isAlone || (await store.read.dailyReports()).length > 0)
      await this.all();
  }

  readonly all = (): Promise<DailyReports> => {
    this.#opened ??= this.#open().catch(error => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<DailyReports> {
    const { config, store, clock, log } = this.#storage;
    const { reports, ownAddress } = this.#parts;
    const { site, attendance } = config;
    return openDailyReports({
      ...{ store, clock, lease: store.once, epoch: store.epoch, fixed: attendance.daily_reports },
      log: log.child({ part: 'attendance' }),
      site: () => ({ name: site.name, timeZone: site.timezone, language: alertLanguage(site.locale) }),
      pages: () => pagesAt(site, ownAddress),
      facts: (day, departments, signal) => reports.daily({ day, departments }, signal),
      terminalName: deviceNo => deviceName(store.directory, deviceNo as DeviceNo),
      departmentNames: async extIds => {
        const { departments } = await store.read.planNames({ departments: extIds, people: [] });
        return extIds.map(extId => departments.get(extId) ?? extId);
      },
      send: (entry, message, signal) => this.#send(entry, message, signal),
    });
  }

  async #send(entry: DailyReportEntry, message: ChannelMessage, signal: AbortSignal): Promise<GivenReason | null> {
    const { config, clock, random } = this.#storage;
    const { alerts, services } = this.#parts;
    const { fixed, chosen } = alerts.settings();
    const { channel: name, url, isFixed } = entry;
    const settings = channelSettings(entry, inForce(fixed, chosen));
    if (settings[name] === undefined) return channelFailures.say('channel_not_set_up');
    const named = url === undefined ? fixed[name] !== undefined : isFixed;
    const { timezone: timeZone, locale } = config.site;
    const language = entry.language ?? alertLanguage(locale);
    const channel = channelsOf(this.#storage, services, { language, timeZone })(name, settings, named);
    return sendOnce({ name, channel, clock, random }, message, signal);
  }
}

/** Those of the channel of alerts, with what the entry has of its own. */
function channelSettings({ channel, to, url, secret }: DailyReportEntry, alerts: AlertSettings): AlertSettings {
  if (channel === 'mail') return { mail: alerts.mail && { ...alerts.mail, to: [...(to ?? alerts.mail.to)] } };
  return { [channel]: url === undefined ? alerts[channel] : { url, secret } };
}
