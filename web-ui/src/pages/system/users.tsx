import { useSignal } from '@preact/signals';
import type { UserReport } from '../../../../src/admin/users.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoInUrl } from '../../parts/do-in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { Head } from './head.tsx';
import { OwnPassword } from './own-password.tsx';
import { Tokens } from './tokens.tsx';
import { PersonDialog, RemoveDialog, SessionsDialog } from './user-dialogs.tsx';
import { words } from './users-words.ts';
import { words as system } from './words.ts';

type Open = { readonly what: 'add' | 'change' | 'sessions' | 'remove'; readonly user: UserReport | null };

/** People who may sign in here, and the tokens of programs. */
export default function Users() {
  const { loaded, reload } = useLoaded('/users');
  const open = useSignal<Open | null>(null);
  useDoInUrl('add-user', () => (open.value = may('admin') ? { what: 'add', user: null } : null));
  const { data, problem } = loaded.value;
  const said = words.value;
  if (!data)
    return (
      <>
        <Head sentence={system.value.tabs.users} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  const close = () => {
    open.value = null;
  };
  const done = (text: string) => {
    close();
    sayDone(text);
    reload();
  };
  const show = (what: Open['what'], user: UserReport | null) => () => {
    open.value = { what, user };
  };
  const signIn = data.rows.filter(one => one.can_sign_in);
  const opened = open.value;
  return (
    <>
      <Head sentence={said.sentence(signIn.length, signIn.filter(one => one.role === 'admin').length)} />
      <h2>{said.people}</h2>
      <Table
        caption={said.people}
        rows={data.rows}
        rowKey={row => row.name}
        columns={[
          { key: 'name', title: said.name, cell: row => row.name },
          { key: 'role', title: said.role, cell: row => shared.value.roles[row.role] },
          {
            key: 'sessions',
            title: said.sessions,
            cell: row =>
              !row.can_sign_in ? (
                said.byCloud
              ) : may('admin') && row.sessions > 0 ? (
                <button
                  type="button"
                  class="linklike"
                  aria-label={`${said.browsers(row.sessions)}: ${said.sessionsOf(row.name)}`}
                  onClick={show('sessions', row)}
                >
                  {said.browsers(row.sessions)}
                </button>
              ) : (
                said.browsers(row.sessions)
              ),
          },
          {
            key: 'seen',
            title: said.seen,
            cell: row => (row.seen_at === null ? said.never : ago(row.seen_at, now.value)),
          },
          ...(may('admin')
            ? [
                {
                  key: 'actions',
                  title: said.actions,
                  cell: (row: UserReport) => (
                    <span class="actions">
                      <Act label={said.changeOf(row.name)} text={said.change} act={show('change', row)} />
                      <Act label={said.removeOf(row.name)} text={shared.value.act.remove} act={show('remove', row)} />
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      {may('admin') && (
        <p>
          <button type="button" class="act go" onClick={show('add', null)}>
            {said.add}
          </button>
        </p>
      )}
      <Tokens />
      <OwnPassword />
      {(opened?.what === 'add' || opened?.what === 'change') && (
        <PersonDialog user={opened.user} done={done} close={close} />
      )}
      {opened?.what === 'sessions' && <SessionsDialog user={opened.user!} done={done} close={close} />}
      {opened?.what === 'remove' && <RemoveDialog user={opened.user!} done={done} close={close} />}
    </>
  );
}

/** Its label names the row, so that a screen reader's list of buttons makes sense. */
const Act = ({ label, text, act }: { label: string; text: string; act: () => void }) => (
  <button type="button" class="act" aria-label={label} onClick={act}>
    {text}
  </button>
);
