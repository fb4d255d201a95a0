import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { listen, status } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { AlertsNow } from '../parts/alerts-now.tsx';
import { DeviceLink } from '../parts/device-link.tsx';
import { DiskRoom } from '../parts/disk-room.tsx';
import { useEvery } from '../parts/every.ts';
import { useFresh } from '../parts/fresh.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { ago, bytes, count, moment } from '../parts/numbers.ts';
import { Table } from '../parts/table.tsx';
import { whenOf } from '../parts/when.ts';
import { may } from '../session.ts';
import { words } from '../words/index.ts';
import { nav } from '../words/nav.ts';
import { monthName } from './attendance/dates.ts';
import { PersonLink } from './attendance/person-link.tsx';
import { BackupStanding } from './today/backup-standing.tsx';
import { DayPicture } from './today/day-picture.tsx';
import { TodayFigures } from './today/figures.tsx';
import { NotLetIn } from './today/not-let-in.tsx';
import { RefusedCalls } from './today/refused-calls.tsx';
import { todaySentence } from './today/sentence.ts';
import { say } from './today/words.ts';

const latestShown = 10;

/** For everybody: is the site working? */
export default function Today() {
  const { loaded, reload } = useLoaded('/today');
  useEvery(30_000, reload);
  useFresh(reload, { checkins: true });
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const said = words.value.today;
  const { disk, devices } = status.value ?? data.status;
  const heldBack = devices.held_back;
  return (
    <>
      <h1 class="sentence">{todaySentence(data)}</h1>
      <AlertsNow />
      <TodayFigures report={data} />
      <DayPicture known={devices.known} />
      {data.status.devices.known === 0 && may('admin') && (
        <p>
          <a href={pagePaths.welcome}>{said.firstSteps}</a>
        </p>
      )}
      {data.status.devices.people_data_waits > 0 && (
        <p class="notice">
          <a href="/devices">{said.waitForPeople(data.status.devices.people_data_waits)}</a>
        </p>
      )}
      {data.month_to_close !== null && may('staff') && (
        <p>
          <a href={`/attendance/month?month=${data.month_to_close}`}>
            {said.monthToClose(monthName(data.month_to_close))}
          </a>
        </p>
      )}
      {data.new_devices.map(({ product_id, refused }) => (
        <p class="notice" key={product_id}>
          <a href="/devices">{said.newDevicesRefused(product_id, refused)}</a>
        </p>
      ))}
      {heldBack > 0 && <p class="notice">{said.heldBack(count(heldBack))}</p>}
      {(disk.is_low || disk.state === 'disk_full') && <DiskRoom />}
      <div class="cols">
        <section aria-labelledby="latest">
          <h2 id="latest">{said.latest}</h2>
          <Latest first={data.latest} />
        </section>
        <section aria-labelledby="silent">
          <h2 id="silent">{said.silentDevices}</h2>
          <Table
            caption={said.silentDevices}
            narrow
            rows={data.silent}
            rowKey={row => row.device_id}
            empty={said.noSilent}
            columns={[
              {
                key: 'name',
                title: nav.value.devices,
                cell: row => <a href={`/devices/${row.device_id}`}>{row.name || row.device_id}</a>,
              },
              {
                key: 'seen',
                title: said.lastRecord,
                cell: row => (row.last_seen_at === null ? said.noRecord : ago(row.last_seen_at, now.value)),
              },
            ]}
          />
          {data.status.devices.states.silent > data.silent.length && (
            <p>
              <a href="/devices?state=silent">
                {said.moreSilent(data.status.devices.states.silent - data.silent.length)}
              </a>
            </p>
          )}
          <NotLetIn refused={data.refused} count={data.status.devices.refused} />
          <RefusedCalls calls={data.refused_calls} />
        </section>
      </div>
      <dl class="facts">
        {data.status.outbox.oldest_at !== null && (
          <>
            <dt>{said.oldest}</dt>
            <dd>{moment(data.status.outbox.oldest_at)}</dd>
          </>
        )}
        {data.status.outbox.parked > 0 && (
          <>
            <dt>{said.parked}</dt>
            <dd>{count(data.status.outbox.parked)}</dd>
          </>
        )}
        <dt>{said.backup}</dt>
        <dd>
          <BackupStanding backup={data.status.backup} />
        </dd>
        <dt>{said.disk}</dt>
        <dd>{said.free(bytes(data.status.disk.free_bytes))}</dd>
      </dl>
    </>
  );
}

interface Checkin {
  readonly id: number;
  readonly at: number;
  readonly name: string;
  readonly ext_id: string;
  readonly said: string;
  readonly device_id: string;
  /** Its name; empty: it has none. */
  readonly device: string;
}

/** Somebody whom the organization does not know is called what the device said. */
const nameOf = (row: Checkin): string => row.name || row.ext_id || say.value.unknownPerson(row.said);

/** The latest check-ins, updated as they arrive. */
function Latest({ first }: { first: readonly Checkin[] }) {
  const arrived = useSignal<readonly Checkin[]>([]);
  useEffect(
    () =>
      listen('checkin', data => {
        const one = data as {
          id: number;
          at: number;
          name: string;
          said: string;
          extId: string;
          deviceId: string;
          device: string;
        };
        const { id, at, name, said, extId: ext_id, deviceId: device_id, device } = one;
        arrived.value = [{ id, at, name, said, ext_id, device_id, device }, ...arrived.peek()].slice(0, latestShown);
      }),
    [arrived],
  );
  const newest = arrived.value;
  const known = new Set(newest.map(one => one.id));
  const rows = [...newest, ...first.filter(one => !known.has(one.id))].slice(0, latestShown);
  return (
    <Table
      caption={words.value.today.latest}
      narrow
      rows={rows}
      rowKey={row => row.id}
      isNew={row => known.has(row.id)}
      columns={[
        { key: 'at', title: words.value.today.time, cell: row => <span class="mono">{whenOf(row.at * 1000)}</span> },
        {
          key: 'name',
          title: nav.value.people,
          cell: row => (row.ext_id === '' ? nameOf(row) : <PersonLink person={row} />),
        },
        {
          key: 'device',
          title: nav.value.devices,
          cell: row => <DeviceLink of={row} />,
        },
      ]}
    />
  );
}
