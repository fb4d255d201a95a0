import type { UndoableChange } from '../../../../src/admin/ui/undoable.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { count, moment } from '../../parts/numbers.ts';
import { BulkNotice, selectionUndone, useBulk } from '../../parts/selection.tsx';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { words } from './audit-words.ts';

/** Changes of many that can still be undone, also when the page that made them is closed. */
export function Undoable({ changed }: { changed: () => void }) {
  const { loaded, reload } = useLoaded('/changes/undoable');
  const bulk = useBulk(() => {
    reload();
    changed();
  });
  const rows = loaded.value.data?.rows ?? [];
  const said = words.value.undoable;
  if (rows.length === 0 && bulk.left.value === '' && bulk.refused.value === null) return null;
  const undo = ({ id, of }: UndoableChange) =>
    void bulk.run(async () => {
      const outcome = await (of === 'people'
        ? post('/people/bulk/{id}/undo', { id })
        : post('/devices/bulk/{id}/undo', { id }));
      return { ...outcome, undo: null };
    }, selectionUndone);
  return (
    <section aria-labelledby="undoable">
      <h2 id="undoable">{said.title}</h2>
      <p class="quiet">{said.hint}</p>
      <BulkNotice bulk={bulk} />
      <Table
        caption={said.title}
        rows={rows}
        rowKey={row => row.id}
        empty={said.none}
        columns={[
          { key: 'at', title: words.value.at, cell: row => <span class="mono">{moment(row.at)}</span> },
          { key: 'who', title: words.value.who, cell: row => (row.by === 'command' ? words.value.command : row.by) },
          { key: 'what', title: words.value.what, cell: row => said.whats[row.what](count(row.count)) },
          {
            key: 'act',
            title: '',
            cell: row =>
              may(row.what === 'blocked' ? 'admin' : 'staff') && (
                <button
                  type="button"
                  class="act small"
                  aria-label={said.undoOf(said.whats[row.what](count(row.count)))}
                  disabled={bulk.busy.value}
                  onClick={() => undo(row)}
                >
                  {shared.value.act.undo}
                </button>
              ),
          },
        ]}
      />
    </section>
  );
}
