import type { MarkedCallReport } from '../../../../src/admin/ui/integrations.ts';
import { now } from '../../parts/now.ts';
import { ago } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { integrationWords } from './words.ts';

/** Calls that were answered although something is wrong with them; nothing where there are none. */
export function MarkedCalls({ calls }: { calls: readonly MarkedCallReport[] }) {
  const said = integrationWords.value;
  if (calls.length === 0) return null;
  return (
    <section>
      <h2>{said.markedTitle}</h2>
      <p class="quiet">{said.markedLead}</p>
      <Table
        caption={said.markedTitle}
        rows={calls}
        rowKey={row => `${row.app_id} ${row.address} ${row.mistake}`}
        columns={[
          { key: 'id', title: said.id, cell: row => <span class="mono">{row.app_id}</span> },
          { key: 'why', title: said.why, cell: row => said.markedMistakes[row.mistake] ?? row.message },
          { key: 'call', title: said.call, cell: row => <span class="mono">{row.path}</span> },
          { key: 'from', title: said.from, cell: row => <span class="mono">{row.address}</span> },
          {
            key: 'at',
            title: said.lastAt,
            cell: row => `${ago(row.at, now.value)}, ${said.times(row.count)}`,
          },
        ]}
      />
    </section>
  );
}
