import { useSignal } from '@preact/signals';
import type { GrantReport } from '../../../../src/admin/grants.ts';
import type { CallerReport } from '../../../../src/admin/ui/callers.ts';
import { post } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { integrationWords } from './words.ts';

/** Permissions of people for programs that sign them in. */
export function Grants({
  grants,
  callers,
  reload,
}: {
  grants: readonly GrantReport[];
  callers: readonly CallerReport[];
  reload: () => void;
}) {
  const asked = useSignal<GrantReport | null>(null);
  const done = useSignal('');
  const said = integrationWords.value;
  const nameOf = (id: string) => callers.find(one => one.kind === 'oauth' && one.id === id)?.name || id;
  const close = () => {
    asked.value = null;
  };
  const revoke = async ({ id }: GrantReport) => {
    await post('/grants/{id}/revoke', { id });
    done.value = said.revoked;
    close();
    reload();
  };
  const open = asked.value;
  return (
    <>
      <p role="status" class="ok">
        {done}
      </p>
      <Table
        caption={said.grantsCaption}
        rows={grants}
        rowKey={row => row.id}
        empty={
          <>
            {said.grantsNone} {said.grantsTeach}
          </>
        }
        columns={[
          { key: 'user', title: said.person, cell: row => row.user },
          { key: 'client', title: said.program, cell: row => nameOf(row.client_id) },
          { key: 'scope', title: said.scope, cell: row => <span class="mono">{row.scope}</span> },
          { key: 'made', title: said.madeAt, cell: row => moment(row.made_at) },
          { key: 'used', title: said.usedAt, cell: row => ago(row.used_at, now.value) },
          ...(may('admin')
            ? [
                {
                  key: 'act',
                  title: said.actions,
                  cell: (row: GrantReport) => (
                    <button
                      type="button"
                      class="act danger"
                      aria-label={`${said.revoke}: ${row.user}, ${nameOf(row.client_id)}`}
                      onClick={() => {
                        asked.value = row;
                      }}
                    >
                      {said.revoke}
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {open && (
        <AskDialog
          title={said.revokeTitle(open.user, nameOf(open.client_id))}
          go={said.revoke}
          danger
          run={() => revoke(open)}
          close={close}
        >
          <p>{said.revokeText}</p>
        </AskDialog>
      )}
    </>
  );
}
