import { useSignal } from '@preact/signals';
import type { ImportReport } from '../../../../src/admin/ui/people-import.ts';
import { postFile } from '../../api.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { Refused } from './person-dialogs.tsx';
import { reasonWords, said } from './words.ts';

type What = 'employees' | 'departments';

/**
 * Imports people from a CSV file. The file is checked first: shows what is wrong, line by line, and
 * what would change. It is then imported as a whole.
 */
export function Import() {
  const what = useSignal<What>('employees');
  /** A copy from when it was chosen: a browser does not read a file that was saved since. */
  const file = useSignal<Blob | null>(null);
  const report = useSignal<ImportReport | null>(null);
  const { busy, refused, run } = useDoing();
  const text = said.value;
  if (!may('staff')) return <h1 class="sentence">{words.value.problem.notAllowed(words.value.roles.staff)}</h1>;
  const send = (dryRun: boolean) =>
    run(async () => {
      report.value = null;
      report.value = await postFile('/people/import', { what: what.value, dry_run: dryRun }, file.value!);
    });
  const forget = () => {
    report.value = null;
    refused.value = '';
  };
  return (
    <>
      <h1 class="sentence">{text.importTitle}</h1>
      <p>
        <a href="/people">{text.back}</a>
      </p>
      <p>{text.importLead}</p>
      <p class="quiet">{text.columns[what.value]}</p>
      <form
        class="bar"
        onSubmit={event => {
          event.preventDefault();
          if (file.value) void send(true);
        }}
      >
        <Choice
          label={text.what}
          value={what.value}
          onChange={event => {
            what.value = event.currentTarget.value as What;
            forget();
          }}
        >
          <option value="employees">{text.employees}</option>
          <option value="departments">{text.departmentsList}</option>
        </Choice>
        <Field
          label={text.file}
          type="file"
          accept=".csv,text/csv,text/plain"
          required
          onClick={event => {
            // The same file, corrected, counts as another choice.
            event.currentTarget.value = '';
            file.value = null;
          }}
          onChange={event => {
            forget();
            const chosen = event.currentTarget.files?.[0];
            void run(async () => {
              file.value = chosen ? new Blob([await chosen.arrayBuffer()]) : null;
            });
          }}
        />
        <button type="submit" class="act go" disabled={busy.value}>
          {text.check}
        </button>
      </form>
      <Refused text={refused.value} />
      <div role="status">{report.value && <p class={classOf(report.value)}>{outcome(report.value)}</p>}</div>
      {report.value && <Details report={report.value} />}
      {report.value?.dry_run && report.value.wrong === 0 && changesOf(report.value) > 0 && (
        <p>
          <button type="button" class="act go" disabled={busy.value} onClick={() => void send(false)}>
            {text.apply(changesOf(report.value))}
          </button>
        </p>
      )}
    </>
  );
}

const changesOf = ({ added, changed }: ImportReport): number => added + changed;
const classOf = ({ wrong }: ImportReport): string => (wrong > 0 ? 'notice bad' : 'notice ok');

function outcome(report: ImportReport): string {
  const text = said.value;
  const { wrong, added, changed, same, dry_run } = report;
  if (wrong > 0) return text.wrong(wrong);
  if (changesOf(report) === 0) return text.nothing;
  return dry_run ? text.would(added, changed, same) : text.did(added, changed, same);
}

function fieldWords(field: string): string {
  const text = said.value;
  const known: Readonly<Record<string, string>> = {
    name: text.name,
    mobile: text.mobile,
    employee_num: text.number,
    department: `${text.department}, ${text.title}`,
    p_ext_id: text.parent,
  };
  return known[field] ?? field;
}

function Details({ report }: { report: ImportReport }) {
  const text = said.value;
  if (report.wrong > 0)
    return (
      <>
        {changesOf(report) > 0 && <p class="quiet">{text.others(report.added, report.changed, report.same)}</p>}
        {report.wrong > report.problems.length && <p class="quiet">{text.firstOf(report.problems.length)}</p>}
        <Table
          caption={text.problems}
          rows={report.problems}
          rowKey={row => `${row.line} ${row.column} ${row.value} ${row.reason}`}
          columns={[
            { key: 'line', title: text.line, cell: row => row.line },
            { key: 'column', title: text.column, cell: row => row.column },
            { key: 'value', title: text.value, cell: row => <span class="mono">{row.value}</span> },
            { key: 'reason', title: text.reason, cell: row => reasonWords(row.reason) },
          ]}
        />
      </>
    );
  if (!report.dry_run || report.changes.length === 0) return null;
  return (
    <>
      {changesOf(report) > report.changes.length && <p class="quiet">{text.firstOf(report.changes.length)}</p>}
      <Table
        caption={text.changes}
        rows={report.changes}
        rowKey={row => row.key}
        columns={[
          { key: 'key', title: text.extId, cell: row => <span class="mono">{row.key}</span> },
          {
            key: 'action',
            title: text.action,
            cell: row => (text.actions as Readonly<Record<string, string>>)[row.action] ?? row.action,
          },
          { key: 'fields', title: text.fields, cell: row => row.fields.map(fieldWords).join(', ') },
        ]}
      />
    </>
  );
}
