import { useSignal } from '@preact/signals';
import type { SyncReport } from '../../../../src/admin/ui/sync.ts';
import { post } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { count, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { say } from './words.ts';

type Report = SyncReport['organization']['missing'];

/** People and departments that the cloud lists no more. Staff may delete them without waiting. */
export function Missing({ missing, changed }: { missing: Report; changed: (done: string) => void }) {
  const said = say.value;
  const asks = useSignal(false);
  const { total, rows } = missing;
  return (
    <>
      <h3 class="sync-part">{said.missing}</h3>
      {total > 0 && <p class="quiet">{said.missingLead}</p>}
      {total > rows.length && <p class="quiet">{said.missingMore(count(rows.length), count(total))}</p>}
      <Table
        caption={said.missing}
        rows={rows}
        rowKey={row => `${row.kind} ${row.ext_id} ${row.name}`}
        empty={said.noneMissing}
        columns={[
          { key: 'kind', title: said.kind, cell: row => (row.kind === 'employee' ? said.isPerson : said.isDepartment) },
          { key: 'who', title: said.who, cell: row => [row.name, row.ext_id].filter(Boolean).join(', ') },
          {
            key: 'since',
            title: said.since,
            cell: row => (row.since === null ? said.heldBack : <span class="mono">{moment(row.since)}</span>),
          },
          {
            key: 'until',
            title: said.deletedFrom,
            cell: row =>
              row.deleted_from === null ? said.notByTime : <span class="mono">{moment(row.deleted_from)}</span>,
          },
        ]}
      />
      {total > 0 && may('staff') && (
        <p>
          <button type="button" class="act danger" onClick={() => (asks.value = true)}>
            {said.deleteMissing(total)}
          </button>
        </p>
      )}
      {asks.value && <DeleteMissing total={total} close={() => (asks.value = false)} done={changed} />}
    </>
  );
}

/** Says what is deleted with them, before they are. */
function DeleteMissing({ total, close, done }: { total: number; close: () => void; done: (sentence: string) => void }) {
  const said = say.value;
  const remove = async () => {
    const { deleted } = await post('/attendance/missing/delete', { total });
    close();
    done(deleted === null ? said.missingChanged : said.missingDeleted(deleted));
  };
  return (
    <AskDialog title={said.deleteMissing(total)} go={said.deleteNow} danger run={remove} close={close}>
      <p>{said.deleteMissingMeans}</p>
    </AskDialog>
  );
}
