import { Hono } from 'hono';
import type { Alerts } from '../alerts/index.ts';
import type { Backups, BackupsReport } from '../backups/index.ts';
import type { Devices } from '../devices/index.ts';
import { boardTemperature, exposition, type Figure } from '../operations/index.ts';
import { type AlertKind, alertKinds } from '../platform/alerts.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { programVersion } from '../runtime/version.ts';
import { boundMsOf, waitBuckets } from '../runtime/wait-times.ts';
import type {
  AuditStore,
  DirectoryStore,
  HealthStore,
  Journal,
  JournalStore,
  RoomStore,
  WearStore,
} from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';

interface Measured {
  readonly store: JournalStore & AuditStore & DirectoryStore & HealthStore & RoomStore & WearStore;
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly alerts: Pick<Alerts, 'standing'>;
  readonly clock: Clock;
  /** Null in a region. */
  readonly backups: {
    /** Time of the last backup; null if the box knows of none. */
    readonly lastAt: () => Promise<UnixMs | null>;
    readonly report: Backups['report'];
  } | null;
}

/** A label for each device costs Prometheus a series: above this only the sums are there. */
const labelledDevicesMax = 1000;

/**
 * The routes of `listen.metrics`: /metrics for Prometheus, /healthz (the process runs), /readyz
 * (the store accepts records).
 */
export function metricsRoutes(measured: Measured): Hono {
  const app = new Hono();
  app.get('/metrics', async context =>
    context.text(exposition(await figures(measured)), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
  );
  app.get('/healthz', context => {
    const { isDead, why } = measured.store.health();
    return isDead ? context.text(`${why}\n`, 503) : context.text('ok\n');
  });
  app.get('/readyz', context => {
    const { state, why } = measured.store.health();
    return state === 'ok' ? context.text('ok\n') : context.text(`${why}\n`, 503);
  });
  return app;
}

async function figures({ store, devices, upstream, alerts, clock, backups }: Measured): Promise<Figure[]> {
  const health = store.health();
  const wear = store.wear();
  const room = store.room();
  const { uplink, outbox } = await upstream.status();
  const known = devices.status();
  const temperature = await boardTemperature();
  const [backupAt, scheduled, stands] = await Promise.all([
    backups?.lastAt() ?? null,
    backups?.report() ?? null,
    alerts.standing(),
  ]);
  const oldestSeconds = outbox.oldestAt === null ? 0 : Math.max(0, (clock.now() - outbox.oldestAt) / 1000);
  return [
    gauge('build_info', 'Version of the program', [{ labels: { version: programVersion }, value: 1 }]),
    gauge('resident_memory_bytes', 'Memory that the process holds', process.memoryUsage.rss()),
    counter('records_committed_total', 'Records in the journal since it was made: the last seq', store.journal.lastSeq),
    gauge('store_ok', '1 while records are committed and acknowledged', Number(health.state === 'ok')),
    gauge(
      'store_unreadable_records',
      'Records of the journal that cannot be read from the disk, as far as it was noticed since the start',
      health.unreadable?.records ?? 0,
    ),
    gauge('store_used_bytes', 'Bytes of the store', health.usedBytes),
    gauge('store_free_bytes', 'Bytes free on its disk', health.freeBytes),
    gauge(
      'store_room_bytes',
      'Bytes that the store can still take: free on its disk and inside the database',
      room.roomBytes,
    ),
    gauge('store_disk_bytes', 'Size of its disk', room.sizeBytes),
    ...(room.inodes === null
      ? []
      : [
          gauge('store_inodes', 'Files that its disk can hold', room.inodes.size),
          gauge('store_inodes_free', 'Files that its disk can still take', room.inodes.free),
        ]),
    gauge(
      'store_room_low',
      '1 while a tenth of the disk, of its inodes, or three days are left, or less',
      Number(room.isLow),
    ),
    ...(room.daysLeft === null
      ? []
      : [
          gauge(
            'store_room_days',
            'Days until something has to be dropped, at the rate of the last week',
            room.daysLeft,
          ),
        ]),
    gauge('audit_waiting_entries', 'Entries of the audit log that wait for the disk', store.audit.waiting.entries),
    gauge('audit_lost_entries', 'Entries for which there was no room to wait', store.audit.waiting.lost),
    gauge('store_lag_records', 'Records that the tables behind the journal do not hold yet', health.lagRecords),
    gauge('store_lag_seconds', 'Age of the oldest of them', health.lagMs / 1000),
    gauge('store_held_back', '1 while devices are not read until the tables have come nearer', Number(health.heldBack)),
    counter('store_records_total', 'Records committed since the start', wear.records),
    counter('store_payload_bytes_total', 'Bytes that devices sent in them', wear.payloadBytes),
    counter('store_syncs_total', 'Commits brought to the disk since the start', wear.syncs),
    ...(wear.writtenBytes === null
      ? []
      : [counter('store_written_bytes_total', 'Bytes given to block devices since the start', wear.writtenBytes)]),
    counter('store_dropped_total', 'Dropped by the disk-full policy', labelled('what', health.dropped)),
    gauge('devices_known', 'Devices that are known', known.known),
    gauge('devices_online', 'Devices that are connected', known.online),
    gauge('devices_held_back', 'Devices that are away because the box took nothing from them', known.held_back),
    gauge('devices_refused', 'Device ids that were refused within a day and not let in since', known.refused),
    gauge('devices_silent', 'Devices that were here once and are not connected', known.states.silent),
    gauge('devices_elsewhere', 'Devices behind a box below', known.states.elsewhere),
    gauge('devices_never_seen', 'Known devices that have never been here', known.states.never),
    gauge('devices_blocked', 'Devices that staff have blocked', known.states.blocked),
    counter('device_events_total', 'What happened at the gateways, by kind', labelled('kind', devices.counters())),
    ...(known.known > labelledDevicesMax
      ? []
      : [gauge('device_online', 'Whether a device is connected', online(store, devices))]),
    histogram(
      'acknowledgement_seconds',
      'From a record to the end of its commit, which its acknowledgement waits for',
      store.journal.waits,
    ),
    ...(temperature === null
      ? []
      : [gauge('board_temperature_celsius', 'The hottest sensor of the board', temperature / 10)]),
    ...(backupAt === null
      ? []
      : [gauge('backup_timestamp_seconds', 'When the last backup was made', Math.round(backupAt / 1000))]),
    ...(scheduled === null ? [] : scheduledBackups(scheduled)),
    gauge(
      'line_configured',
      '1 where the config names a cloud; 0 in a process of a region while another one forwards',
      Number(!upstream.standsAlone && uplink.state !== 'standby'),
    ),
    gauge(
      'standing',
      'What wants a person, by kind: how many devices or channels, 1 of the box',
      byKind(kind => stands.list.find(one => one.kind === kind)?.count ?? 0),
    ),
    gauge(
      'alerts_open',
      'Alerts that are open, by kind',
      byKind(kind => stands.alerts.filter(one => one.kind === kind).length),
    ),
    gauge('line_up', '1 while the line to the cloud is up', Number(uplink.state === 'up')),
    gauge('outbox_waiting_records', 'Records that wait for the cloud', outbox.waiting),
    gauge('outbox_oldest_seconds', 'Age of the oldest of them', oldestSeconds),
    gauge('outbox_parked_records', 'Records that the cloud refused for good', outbox.parked),
    gauge('outbox_confirmed_per_second', 'Records that the cloud confirms in a second', outbox.perSecond),
  ];
}

/** Every kind, so that a rule of Prometheus sees the fall to 0. */
const byKind = (count: (kind: AlertKind) => number): Figure['values'] =>
  alertKinds.map(kind => ({ labels: { kind }, value: count(kind) }));

type Values = number | Figure['values'];

const figure = (type: Figure['type'], name: string, help: string, values: Values): Figure => ({
  name: `gatehouse_${name}`,
  help,
  type,
  values: typeof values === 'number' ? [{ value: values }] : values,
});
const gauge = (name: string, help: string, values: Values): Figure => figure('gauge', name, help, values);
const counter = (name: string, help: string, values: Values): Figure => figure('counter', name, help, values);

const online = ({ directory }: DirectoryStore, devices: Pick<Devices, 'isOnline'>): Figure['values'] =>
  [...directory.devices()].map(({ deviceId, deviceNo }) => ({
    labels: { device_id: deviceId },
    value: Number(devices.isOnline(deviceNo)),
  }));

/** Every fourth bound of the buckets: powers of two. */
function histogram(name: string, help: string, { counts, sumMs }: Journal['waits']): Figure {
  const values: { labels?: Record<string, string>; value: number; suffix: string }[] = [];
  let below = 0;
  for (let bucket = 0; bucket < waitBuckets; bucket++) {
    below += counts[bucket]!;
    // The last bucket holds what is longer than every bound.
    if (bucket % 4 === 0 && bucket < waitBuckets - 1)
      values.push({ suffix: '_bucket', labels: { le: String(boundMsOf(bucket) / 1000) }, value: below });
  }
  values.push(
    { suffix: '_bucket', labels: { le: '+Inf' }, value: below },
    { suffix: '_sum', value: sumMs / 1000 },
    { suffix: '_count', value: below },
  );
  return { name: `gatehouse_${name}`, help, type: 'histogram', values };
}

/** By target: what Prometheus warns of where the box itself cannot. */
function scheduledBackups({ targets, tooOldMs }: BackupsReport): Figure[] {
  const seconds = (what: (target: BackupsReport['targets'][number]) => UnixMs | null): Figure['values'] =>
    targets.flatMap(target => {
      const at = what(target);
      return at === null ? [] : [{ labels: { target: target.name }, value: Math.round(at / 1000) }];
    });
  const failed = targets.map(({ name, failure }) => ({ labels: { target: name }, value: Number(failure !== null) }));
  if (targets.length === 0) return [];
  return [
    gauge('backup_failed', '1 where the last backup to a target failed', failed),
    gauge(
      'backup_too_old_seconds',
      'Age at which a backup is too old: by the schedule, two were missed',
      tooOldMs / 1000,
    ),
    gauge(
      'backup_verified_timestamp_seconds',
      'When a backup was last read back from its target and found good',
      seconds(({ lastGoodAt }) => lastGoodAt),
    ),
    gauge(
      'backup_restore_tried_timestamp_seconds',
      'When a restore from a target was last tried, and went well',
      seconds(({ drill }) => (drill?.why === null ? drill.at : null)),
    ),
  ];
}

const labelled = (label: string, counts: Readonly<Record<string, number>>): Figure['values'] =>
  Object.entries(counts).map(([text, value]) => ({ labels: { [label]: text }, value }));
