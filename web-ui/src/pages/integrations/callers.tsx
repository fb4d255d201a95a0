import { useSignal } from '@preact/signals';
import type { CallerReport, NewSecret } from '../../../../src/admin/ui/callers.ts';
import { useDoInUrl } from '../../parts/do-in-url.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { AddCaller, RemoveCaller, RotateSecret, ShownSecret } from './caller-dialogs.tsx';
import { integrationWords } from './words.ts';

type Open =
  | { readonly what: 'add' }
  | { readonly what: 'rotate' | 'remove'; readonly caller: CallerReport }
  | { readonly what: 'secret'; readonly made: NewSecret };

/** Programs by what they are for; secrets are made here, and shown once. */
export function Callers({ callers, reload }: { callers: readonly CallerReport[]; reload: () => void }) {
  const open = useSignal<Open | null>(null);
  const done = useSignal('');
  useDoInUrl('add-caller', () => (open.value = may('admin') ? { what: 'add' } : null));
  const said = integrationWords.value;
  const made = (secret: NewSecret) => {
    open.value = { what: 'secret', made: secret };
    reload();
  };
  const now = open.value;
  // A dialog reports its closing even when the next one has already replaced it.
  const close = () => {
    if (open.peek() === now) open.value = null;
  };
  return (
    <>
      {may('admin') ? (
        <p class="bar">
          <button
            type="button"
            class="act go"
            onClick={() => {
              open.value = { what: 'add' };
            }}
          >
            {said.add}
          </button>
        </p>
      ) : (
        <p class="quiet">{said.viewerNote}</p>
      )}
      <p role="status" class="ok">
        {done}
      </p>
      <Table
        caption={said.callersCaption}
        rows={callers}
        rowKey={row => `${row.kind} ${row.id}`}
        empty={said.callersTeach}
        columns={[
          {
            key: 'id',
            title: said.id,
            cell: row => (
              <span>
                <span class="mono">{row.id}</span> <span class="quiet">{said.ids[row.kind]}</span>
              </span>
            ),
          },
          { key: 'name', title: said.name, cell: row => row.name },
          { key: 'kind', title: said.kind, cell: row => said.kinds[row.kind] },
          ...(may('admin')
            ? [
                {
                  key: 'act',
                  title: said.actions,
                  cell: (row: CallerReport) => (
                    <span class="row-acts">
                      <button
                        type="button"
                        class="act"
                        aria-label={`${said.rotate}: ${row.id}`}
                        onClick={() => {
                          open.value = { what: 'rotate', caller: row };
                        }}
                      >
                        {said.rotate}
                      </button>
                      <button
                        type="button"
                        class="act danger"
                        aria-label={`${words.value.act.remove}: ${row.id}`}
                        onClick={() => {
                          open.value = { what: 'remove', caller: row };
                        }}
                      >
                        {words.value.act.remove}
                      </button>
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      {now?.what === 'add' && <AddCaller made={made} close={close} />}
      {now?.what === 'rotate' && <RotateSecret caller={now.caller} made={made} close={close} />}
      {now?.what === 'remove' && (
        <RemoveCaller
          caller={now.caller}
          close={close}
          removed={() => {
            done.value = said.removed(now.caller.id);
            close();
            reload();
          }}
        />
      )}
      {now?.what === 'secret' && <ShownSecret made={now.made} close={close} />}
    </>
  );
}
