import { randomUUID } from 'node:crypto';
import type { Alerts } from '../alerts/index.ts';
import type { AlertFact, BoxFacts, DiscoveryFacts, Events } from '../events/index.ts';
import { UnauthenticatedConnections } from '../listeners/index.ts';
import { type ActionName, defaultActions } from '../platform/actions.ts';
import { alertLanguage, alertTitle } from '../platform/alert-words.ts';
import { severityRank } from '../platform/alerts.ts';
import { parseAddress } from '../runtime/address.ts';
import { programVersion } from '../runtime/version.ts';
import { dayOf } from '../runtime/wall-time.ts';
import { subjectOf } from '../words/audit-own.ts';
import type { Apis } from './apis.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';

/** Programs of a site are a few; each may have some connections. */
const connectionsMax = 64;
const ofOneAddressMax = 64;
/** Handshakes and unfinished logins: about 70 KiB each. */
const loggingInMax = 128;

/**
 * Opens the broker for the site's own programs (docs/events.md); null: `listen.events` is off, and
 * nothing of it is loaded.
 */
export async function openBoxEvents(storage: Storage, gateways: Gateways, apis: Apis): Promise<Events | null> {
  const { config, store, clock, log, actions } = storage;
  if (parseAddress(config.listen.events) === null) return null;
  const { openEvents } = await import('../events/index.ts');
  const { devices } = gateways;
  const codes = (Object.keys(defaultActions) as ActionName[]).map(name => actions.codeOf(name));
  return openEvents({
    ...{ store, clock, log: log.child({ part: 'events' }) },
    facts: boxFacts(storage, gateways, apis),
    devices: {
      isOnline: deviceNo => devices.isOnline(deviceNo),
      deliver: (deviceNo, payload) => devices.deliver(deviceNo, payload),
      stamp: () => devices.stamp(),
      idAsWritten: deviceNo => devices.idAsWritten(deviceNo),
      audit: ({ program, about, outcome }) =>
        apis.accounts.access.audit({
          actor: `token ${program}`,
          ...{ role: 'events', address: '', action: 'COMMAND', ...subjectOf(about), outcome },
        }),
    },
    homeAssistant: config.events.home_assistant === 'on' ? () => discoveryFacts(config) : null,
    newMid: randomUUID,
    codesOfTheBox: new Set(codes.filter(code => code !== null)),
    programOf: token => apis.accounts.access.programOf(token),
  });
}

/**
 * The connections of programs: apart from those of devices, so that neither takes the other's.
 * `waitingMax`: how many may be open without a login; those beyond 128 wait until one of these has
 * logged in or gone.
 */
export const programIntake = (waitingMax: number, full: (address: string) => void) => ({
  unauthenticated: new UnauthenticatedConnections(
    {
      ofOneAddress: ofOneAddressMax,
      loggingIn: Math.min(loggingInMax, waitingMax),
      inAll: waitingMax,
      devices: connectionsMax,
      waitApart: true,
    },
    full,
  ),
  connectionsMax: connectionsMax + waitingMax,
  full,
});

const discoveryFacts = ({ box, site }: Storage['config']): DiscoveryFacts => ({
  boxId: `${box.product_id}_${box.device_sn}`,
  serialNumber: box.device_sn,
  model: box.model,
  version: programVersion,
  site: site.name,
  url: site.base_url ?? null,
  language: alertLanguage(site.locale),
});

function boxFacts({ config, store, clock }: Storage, { devices }: Gateways, { admin, alerts }: Apis): BoxFacts {
  const { site } = config;
  return {
    async line() {
      const { line, outbox } = await admin.status.report();
      const { waiting, parked } = outbox;
      return { ...line, waiting, parked };
    },
    alerts: () => byKind(alerts, site),
    async box() {
      const { version, devices: counts, outbox, disk } = await admin.status.report();
      const { from, to } = dayOf(clock.now(), site.timezone);
      const [checkins = 0] = await store.read.checkinCounts({ from, to, partSeconds: to - from });
      return {
        version,
        site: site.name,
        epoch: store.epoch,
        devices: { known: counts.known, online: counts.online },
        waiting: outbox.waiting,
        parked: outbox.parked,
        disk: { used_bytes: disk.used_bytes, free_bytes: disk.free_bytes },
        checkins_today: checkins,
        alerts: [...new Set(alerts.open().map(({ kind }) => kind))],
      };
    },
    isOnline: deviceNo => devices.isOnline(deviceNo),
    onPresence: listener => devices.onPresenceAnywhere(listener),
  };
}

/** Several devices may be silent: they are one alert, as severe as the worst. */
function byKind(alerts: Pick<Alerts, 'open'>, { locale }: { readonly locale: string }): AlertFact[] {
  const kinds = new Map<string, AlertFact>();
  for (const alert of alerts.open()) {
    const { kind, severity, subject, since } = alert;
    const known = kinds.get(kind);
    kinds.set(kind, {
      kind,
      severity: known && severityRank(known.severity as never) > severityRank(severity) ? known.severity : severity,
      since: Math.min(known?.since ?? since, since),
      title: known?.title ?? alertTitle(alert, alertLanguage(locale)),
      subjects: [...(known?.subjects ?? []), ...(subject === '' ? [] : [subject])],
    });
  }
  return [...kinds.values()];
}
