import { useSignal } from '@preact/signals';
import type { TokenReport } from '../../../../src/admin/tokens.ts';
import { erase, post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useForm } from '../../parts/doing.ts';
import { chosen, Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, day } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { saidProblem } from './said-problem.ts';
import { RoleChoice, roles } from './user-dialogs.tsx';
import { words } from './users-words.ts';

/** Tokens that programs sign in with. */
export function Tokens() {
  const { loaded, reload } = useLoaded('/tokens');
  const open = useSignal<'make' | TokenReport | null>(null);
  const said = words.value;
  const { data, problem } = loaded.value;
  const close = () => {
    open.value = null;
    reload();
  };
  const opened = open.value;
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">{said.tokens}</h2>
      <p class="quiet">{said.tokensLead}</p>
      <ProblemNotice problem={problem} again={reload} />
      <Table
        caption={said.tokens}
        rows={data?.rows ?? []}
        rowKey={row => row.id}
        empty={said.noTokens}
        columns={[
          { key: 'name', title: said.tokenName, cell: row => row.name },
          { key: 'role', title: said.role, cell: row => shared.value.roles[row.role] },
          { key: 'by', title: said.madeBy, cell: row => row.made_by },
          { key: 'ends', title: said.ends, cell: row => endOf(row) },
          {
            key: 'used',
            title: said.used,
            cell: row => (row.used_at === null ? said.never : ago(row.used_at, now.value)),
          },
          ...(may('admin')
            ? [
                {
                  key: 'actions',
                  title: said.actions,
                  cell: (row: TokenReport) => (
                    <button
                      type="button"
                      class="act"
                      aria-label={said.removeToken(row.name)}
                      onClick={() => {
                        open.value = row;
                      }}
                    >
                      {said.end}
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {may('admin') && (
        <p>
          <button
            type="button"
            class="act"
            onClick={() => {
              open.value = 'make';
            }}
          >
            {said.makeToken}
          </button>
        </p>
      )}
      {opened === 'make' && <MakeDialog close={close} />}
      {opened !== null && opened !== 'make' && <EndDialog token={opened} close={close} />}
    </section>
  );
}

function endOf({ ends_at }: TokenReport): string {
  return ends_at <= now.value ? words.value.hasEnded : day(ends_at);
}

function MakeDialog({ close }: { close: () => void }) {
  const said = words.value;
  const made = useSignal('');
  const copied = useSignal(false);
  const { busy, refused, submit } = useForm(async form => {
    const days = String(form.get('days'));
    const wanted = {
      name: text(form, 'name'),
      role: chosen(form, 'role', roles),
      days: days === '' ? null : Number(days),
    };
    made.value = (await post('/tokens', wanted)).token;
  });
  return (
    <Dialog title={said.makeToken} close={close}>
      {made.value === '' ? (
        <form onSubmit={submit}>
          <Field label={said.tokenName} name="name" required maxLength={64} autocomplete="off" />
          <RoleChoice value="viewer" />
          <Field
            label={said.days}
            hint={said.daysHint}
            placeholder="365"
            name="days"
            type="number"
            min={1}
            max={3650}
          />
          <ProblemNotice problem={saidProblem(refused.value)} />
          <DialogButtons go={said.makeToken} busy={busy.value} close={close} />
        </form>
      ) : (
        <>
          <p role="status">{said.tokenMade}</p>
          <Field label={said.token} value={made.value} readOnly class="mono" />
          <p class="bar">
            <button
              type="button"
              class="act go"
              onClick={() => {
                void navigator.clipboard.writeText(made.value).then(() => {
                  copied.value = true;
                });
              }}
            >
              {copied.value ? shared.value.act.copied : shared.value.act.copy}
            </button>
            <button type="button" class="act" onClick={close}>
              {shared.value.act.close}
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}

function EndDialog({ token, close }: { token: TokenReport; close: () => void }) {
  const said = words.value;
  const { busy, refused, submit } = useForm(async () => {
    await erase('/tokens/{id}', { id: token.id });
    close();
  });
  return (
    <Dialog title={said.removeToken(token.name)} close={close}>
      <form onSubmit={submit}>
        <p>{said.removeTokenSure}</p>
        <ProblemNotice problem={saidProblem(refused.value)} />
        <DialogButtons go={said.end} busy={busy.value} danger close={close} />
      </form>
    </Dialog>
  );
}
