import type { ImportReport } from '../../../../src/admin/ui/import-report.ts';
import { byteOrderMark, csvLine, separatorIn } from '../../../../src/runtime/csv.ts';
import { Table } from '../../parts/table.tsx';
import { reasonWords, said } from './import-words.ts';

/** On the page; the file has all of them. */
const shownMax = 200;

type Remark = ImportReport['problems'][number];

const remarkKey = ({ line, column, value, reason }: Remark): string => `${line} ${column} ${value} ${reason}`;

/** A column is called as in the file, or by the name of a field of the box. */
export function fieldWords(field: string): string {
  const known: Readonly<Record<string, string>> = said.value.fieldNames;
  return known[field] ?? field;
}

function Remarks({ caption, rows }: { caption: string; rows: readonly Remark[] }) {
  const text = said.value;
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={remarkKey}
      columns={[
        { key: 'line', title: text.line, cell: row => row.line },
        { key: 'column', title: text.column, cell: row => fieldWords(row.column) },
        { key: 'value', title: text.value, cell: row => <span class="mono">{row.value}</span> },
        { key: 'reason', title: text.reason, cell: row => reasonWords(row) },
      ]}
    />
  );
}

/** Problems: the first rows here, all of them as a file for the person who keeps the list. */
export function Problems({ report: { wrong, problems } }: { report: ImportReport }) {
  const text = said.value;
  return (
    <>
      <p>
        <button type="button" class="act" onClick={() => save(problems)}>
          {text.problemsFile}
        </button>
      </p>
      {wrong > shownMax && <p class="quiet">{text.firstOf(shownMax)}</p>}
      <Remarks caption={text.problems} rows={problems.slice(0, shownMax)} />
    </>
  );
}

function save(problems: readonly Remark[]): void {
  const text = said.value;
  // The spreadsheet is one of whoever looks at the page.
  const separator = separatorIn(navigator.language);
  const lines = problems.map(row =>
    csvLine([String(row.line), fieldWords(row.column), row.value, reasonWords(row)], separator),
  );
  const file = [byteOrderMark, csvLine([text.line, text.column, text.value, text.reason], separator), ...lines];
  const address = URL.createObjectURL(new Blob(file, { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'problems.csv';
  link.click();
  URL.revokeObjectURL(address);
}

export function Warnings({ report: { warnings } }: { report: ImportReport }) {
  if (warnings.length === 0) return null;
  const text = said.value;
  return (
    <>
      <p class="notice">{text.warnings}</p>
      <Remarks caption={text.warnings} rows={warnings.slice(0, shownMax)} />
    </>
  );
}

/** Each changed field by itself, old and new side by side. */
export function Changes({ report }: { report: ImportReport }) {
  const text = said.value;
  const all = report.added + report.changed;
  if (report.changes.length === 0) return null;
  return (
    <>
      {all > report.changes.length && <p class="quiet">{text.firstOf(report.changes.length)}</p>}
      <Table
        caption={text.changes}
        rows={report.changes}
        rowKey={row => row.key}
        columns={[
          { key: 'line', title: text.line, cell: row => row.line },
          {
            key: 'person',
            title: text.person,
            cell: row => (
              <>
                {row.name} <span class="mono quiet">{row.key}</span>
              </>
            ),
          },
          {
            key: 'action',
            title: text.action,
            cell: row => (text.actions as Readonly<Record<string, string>>)[row.action] ?? row.action,
          },
          { key: 'values', title: text.fields, cell: row => row.values.map(Value) },
        ]}
      />
    </>
  );
}

const Value = ({ field, before, after }: ImportReport['changes'][number]['values'][number]) => (
  <div key={field}>
    {fieldWords(field)}: <del>{planWord(before)}</del> → <ins>{planWord(after)}</ins>
  </div>
);

/** A value of the box, which writes words of plans in English. */
const planWord = (value: string): string =>
  (said.value.planWords as Readonly<Record<string, string>>)[value] ?? (value || said.value.nothingYet);
