import { hostname } from 'node:os';
import { type Alerts, alertChannelsBy, openAlerts } from '../alerts/index.ts';
import type { Attendance } from '../attendance/index.ts';
import type { Backups } from '../backups/index.ts';
import { alertLanguage } from '../platform/alert-words.ts';
import type { DeviceId } from '../platform/device-id.ts';
import { atMostEvery } from '../runtime/at-most-every.ts';
import type { Services } from '../services/index.ts';
import type { Updates } from '../updates/index.ts';
import { whyOf, withWhy } from '../words/sentences.ts';
import { alertCalls } from './alert-calls.ts';
import type { Gateways } from './gateways.ts';
import type { OwnAddress } from './own-address.ts';
import { standingFacts } from './standing-facts.ts';
import type { Storage } from './storage.ts';

interface Parts {
  readonly attendance: Pick<Attendance, 'status'>;
  readonly services: Pick<Services, 'push' | 'sendShort'>;
  readonly updates: Pick<Updates, 'report'>;
  readonly backups: Pick<Backups, 'report'> | null;
  readonly ownAddress: OwnAddress;
}

/** A device that comes or goes is looked at soon, and a site that reconnects not for each. */
const presenceLookMs = 2000;

/** Opens the alerts: the facts from the parts of the box, the channels, and the words. */
export async function openBoxAlerts(
  storage: Storage,
  gateways: Gateways,
  { attendance, services, updates, backups, ownAddress }: Parts,
): Promise<Alerts> {
  const { config, store, clock, random, log, opened } = storage;
  const { site, alerts: fixed } = config;
  // Read for each message: the site may be renamed, or moved to another zone or language.
  const spoken = {
    get site() {
      return site.name;
    },
    get language() {
      return alertLanguage(site.locale);
    },
    get timeZone() {
      return site.timezone;
    },
  };
  const pages = () => pagesAt(site, ownAddress);
  const options: Parameters<typeof openAlerts>[0] = {
    ...{ store, clock, random, fixed },
    ...{ lease: store.once, processes: store.processes, device: deviceHere(storage, gateways) },
    log: log.child({ part: 'alerts' }),
    facts: standingFacts(storage, gateways, { attendance, updates, backups }),
    head: Object.assign(spoken, { pages }),
    channel: channelsOf(storage, services, spoken),
  };
  const alerts = await openAlerts(options);
  const closing = new AbortController();
  opened.defer(() => closing.abort());
  gateways.devices.onPresenceAnywhere(atMostEvery(presenceLookMs, clock, closing.signal, () => alerts.look()));
  return alerts;
}

/** Where messages say that the pages are. */
export const pagesAt = (site: Storage['config']['site'], ownAddress: OwnAddress): string =>
  site.base_url?.replace(/\/$/, '') ?? ownAddress.for(hostname().toLowerCase(), true);

/** Channels of messages to people, in a language and a time zone. */
export const channelsOf = (
  { config, log, trust }: Storage,
  services: Parts['services'],
  spoken: Parameters<typeof alertChannelsBy>[0]['spoken'],
) =>
  alertChannelsBy({
    spoken,
    warn: why => log.warn({ part: 'alerts' }, 'alert_channel_warning', withWhy(whyOf(why))),
    ...alertCalls(config, trust),
    secureContext: () => trust.context,
    push: (body, appId) => services.push(body, appId),
    sendShort: (body, appId) => services.sendShort(body, appId),
  });

const deviceHere =
  ({ store }: Storage, { devices }: Gateways) =>
  (deviceId: string) => {
    const device = store.directory.device(deviceId as DeviceId);
    return device ? { name: device.name, isOnline: devices.isOnline(device.deviceNo) } : null;
  };
