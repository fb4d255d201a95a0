import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listen } from '../../live.ts';
import { nav } from '../../nav.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Table } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { words } from '../../words/index.ts';
import { PersonLink } from '../attendance/person-link.tsx';
import { say } from './words.ts';

const latestShown = 10;

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
export function Latest({ first }: { first: readonly Checkin[] }) {
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
  return <LatestRows rows={rows} isNew={row => known.has(row.id)} />;
}

export const LatestRows = ({
  rows,
  isNew = () => false,
}: {
  readonly rows: readonly Checkin[];
  readonly isNew?: (row: Checkin) => boolean;
}) => (
  <Table
    caption={words.value.today.latest}
    narrow
    rows={rows}
    rowKey={row => row.id}
    isNew={isNew}
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
