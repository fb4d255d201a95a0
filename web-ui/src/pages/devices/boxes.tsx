import { useSignal } from '@preact/signals';
import type { BoxBelowRow } from '../../../../src/admin/ui/boxes.ts';
import { useLoaded } from '../../loaded.ts';
import { count } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { UnlistBoxDialog } from './dialogs.tsx';
import { say } from './words.ts';

export const useBoxes = () => useLoaded('/boxes');

/** The boxes below, where there are any. */
export function Boxes({ from, changed }: { from: ReturnType<typeof useBoxes>; changed: () => void }) {
  const said = say.value;
  const leaving = useSignal<string | null>(null);
  const notice = useSignal('');
  const rows = from.loaded.value.data?.rows ?? [];
  const close = () => {
    leaving.value = null;
  };
  return (
    <>
      <div role="status">{notice.value !== '' && <p class="notice ok">{notice.value}</p>}</div>
      {rows.length > 0 && (
        <section aria-labelledby="boxes-below">
          <h2 id="boxes-below">{said.boxes}</h2>
          <p class="quiet">{said.boxesLead}</p>
          <Table
            caption={said.boxes}
            rows={rows}
            rowKey={row => row.box_id}
            empty=""
            columns={[
              {
                key: 'name',
                title: said.name,
                cell: row => (
                  <span>
                    {row.name !== '' && `${row.name} `}
                    <span class="mono">{row.box_id}</span>
                  </span>
                ),
              },
              { key: 'state', title: said.state, cell: row => (row.online ? said.boxOnline : said.boxAway) },
              { key: 'devices', title: said.boxDevices, number: true, cell: row => count(row.devices) },
              ...(may('admin')
                ? [
                    {
                      key: 'unlist',
                      title: '',
                      cell: (row: BoxBelowRow) => (
                        <button
                          type="button"
                          class="act"
                          aria-label={said.unlistBoxTitle(row.box_id)}
                          onClick={() => {
                            leaving.value = row.box_id;
                          }}
                        >
                          {said.unlistBox}
                        </button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </section>
      )}
      {leaving.value !== null && (
        <UnlistBoxDialog
          box={leaving.value}
          close={close}
          done={sentence => {
            notice.value = sentence;
            close();
            changed();
          }}
        />
      )}
    </>
  );
}
