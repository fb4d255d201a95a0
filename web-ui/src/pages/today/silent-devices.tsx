import type { TodayReport } from '../../../../src/admin/ui/today.ts';
import { nav } from '../../nav.ts';
import { now } from '../../parts/now.ts';
import { ago } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { words } from '../../words/index.ts';

export function SilentDevices({ rows }: { rows: TodayReport['silent'] }) {
  const said = words.value.today;
  return (
    <Table
      caption={said.silentDevices}
      narrow
      rows={rows}
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
  );
}
