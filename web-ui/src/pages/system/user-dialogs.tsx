import type { UserReport } from '../../../../src/admin/users.ts';
import { erase, post, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useForm } from '../../parts/doing.ts';
import { Choice, chosen, Field } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import type { Role } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { saidProblem } from './said-problem.ts';
import { words } from './users-words.ts';

export const roles = ['viewer', 'staff', 'admin'] as const satisfies readonly Role[];

interface Ends {
  /** Reports what happened. */
  readonly done: (notice: string) => void;
  readonly close: () => void;
}

/** `none`: offered for people, not for tokens. */
export const RoleChoice = ({ value, none = false }: { value: UserReport['role']; none?: boolean }) => (
  <Choice label={words.value.role} name="role" defaultValue={value}>
    {[...(none ? (['none'] as const) : []), ...roles].map(role => (
      <option key={role} value={role} selected={role === value}>
        {shared.value.roles[role]}
      </option>
    ))}
  </Choice>
);

export function PersonDialog({ user, done, close }: { user: UserReport | null } & Ends) {
  const said = words.value;
  const { busy, refused, submit } = useForm(async form => {
    const name = user?.name ?? String(form.get('name')).trim();
    const password = String(form.get('password'));
    await put('/users/{name}', {
      name,
      role: chosen(form, 'role', [...roles, 'none'] as const),
      ...(password === '' ? {} : { password }),
    });
    done(user ? said.changed(name) : said.added(name));
  });
  return (
    <Dialog title={user ? said.changeOf(user.name) : said.add} close={close}>
      <form onSubmit={submit}>
        {!user && <Field label={said.name} name="name" required maxLength={64} autocomplete="off" />}
        <RoleChoice value={user?.role ?? 'viewer'} none />
        <p class="quiet">{said.roleHint}</p>
        <Field
          label={user ? said.newPassword : said.password}
          hint={user ? said.keepPassword : said.passwordHint}
          name="password"
          type="password"
          required={!user}
          autocomplete="new-password"
        />
        <ProblemNotice problem={saidProblem(refused.value)} />
        <DialogButtons go={user ? shared.value.act.save : shared.value.act.add} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

export function RemoveDialog({ user, done, close }: { user: UserReport } & Ends) {
  const said = words.value;
  const { busy, refused, submit } = useForm(async () => {
    await erase('/users/{name}', { name: user.name });
    done(said.removed(user.name));
  });
  return (
    <Dialog title={said.removeOf(user.name)} close={close}>
      <form onSubmit={submit}>
        <p>{said.removeSure(user.name)}</p>
        <ProblemNotice problem={saidProblem(refused.value)} />
        <DialogButtons go={shared.value.act.remove} busy={busy.value} danger close={close} />
      </form>
    </Dialog>
  );
}

export function SessionsDialog({ user, done, close }: { user: UserReport } & Ends) {
  const said = words.value;
  const { loaded } = useLoaded('/users/{name}/sessions', { name: user.name });
  const { busy, refused, submit } = useForm(async () => {
    const { count } = await post('/users/{name}/sessions/end', { name: user.name });
    done(said.ended(count));
  });
  const { data, problem } = loaded.value;
  return (
    <Dialog title={said.sessionsOf(user.name)} close={close}>
      {!data && !problem && <Loading rows={2} />}
      <ProblemNotice problem={problem} />
      {data && (
        <Table
          caption={said.sessionsOf(user.name)}
          rows={data.sessions}
          rowKey={row => `${row.opened_at} ${row.address} ${row.agent}`}
          empty={said.noSessions}
          columns={[
            { key: 'since', title: said.opened, cell: row => <span class="mono">{moment(row.opened_at)}</span> },
            { key: 'from', title: said.address, cell: row => <span class="mono">{row.address}</span> },
            { key: 'browser', title: said.browser, cell: row => row.agent.slice(0, 80) },
          ]}
        />
      )}
      <form onSubmit={submit}>
        <ProblemNotice problem={saidProblem(refused.value)} />
        <DialogButtons go={said.endAll} busy={busy.value || (data?.sessions.length ?? 0) === 0} danger close={close} />
      </form>
    </Dialog>
  );
}
