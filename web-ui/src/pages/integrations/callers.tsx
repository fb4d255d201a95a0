import type { CallerReport, NewSecret } from '../../../../src/admin/ui/callers.ts';
import { useDoInUrl } from '../../parts/do-in-url.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { AddCaller, RemoveCaller, RotateSecret, ShownSecret } from './caller-dialogs.tsx';
import { ListHead, useOpened } from './opened.tsx';
import { integrationWords } from './words.ts';

type Open =
  | { readonly what: 'add' }
  | { readonly what: 'rotate' | 'remove'; readonly caller: CallerReport }
  | { readonly what: 'secret'; readonly made: NewSecret };

function LastUse({ used }: Pick<CallerReport, 'used'>) {
  if (!used) return <span class="quiet">{integrationWords.value.usedNever}</span>;
  return (
    <span>
      <time dateTime={new Date(used.at).toISOString()} title={moment(used.at)}>
        {ago(used.at, now.value)}
      </time>{' '}
      <span class="quiet mono caller-note">
        {used.address} {used.call}
      </span>
    </span>
  );
}

/** Programs by what they are for; secrets are made here, and shown once. */
export function Callers({ callers, reload }: { callers: readonly CallerReport[]; reload: () => void }) {
  const { shown, done, show, close } = useOpened<Open>();
  useDoInUrl('add-caller', () => may('admin') && show({ what: 'add' }));
  const said = integrationWords.value;
  const made = (secret: NewSecret) => {
    show({ what: 'secret', made: secret });
    reload();
  };
  return (
    <>
      <ListHead label={said.add} note={said.viewerNote} done={done} add={() => show({ what: 'add' })} />
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
          {
            key: 'kind',
            title: said.scope,
            cell: row => (
              <span>
                {said.kinds[row.kind]} <span class="quiet caller-note">{said.scopes[row.kind]}</span>
              </span>
            ),
          },
          { key: 'used', title: said.usedLast, cell: row => <LastUse used={row.used} /> },
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
                        onClick={() => show({ what: 'rotate', caller: row })}
                      >
                        {said.rotate}
                      </button>
                      <button
                        type="button"
                        class="act danger"
                        aria-label={`${words.value.act.remove}: ${row.id}`}
                        onClick={() => show({ what: 'remove', caller: row })}
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
      {shown?.what === 'add' && <AddCaller made={made} close={close} />}
      {shown?.what === 'rotate' && <RotateSecret caller={shown.caller} made={made} close={close} />}
      {shown?.what === 'remove' && (
        <RemoveCaller
          caller={shown.caller}
          close={close}
          removed={() => {
            done.value = said.removed(shown.caller.id);
            close();
            reload();
          }}
        />
      )}
      {shown?.what === 'secret' && <ShownSecret made={shown.made} close={close} />}
    </>
  );
}
