import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ImportReport } from '../../../../src/admin/ui/import-report.ts';
import type { CsvEncoding } from '../../../../src/platform/csv-encodings.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { usePagePart } from '../../parts/page-part.ts';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { type FileChoices, HowRead } from './how-read.tsx';
import { FileColumns } from './import-columns.tsx';
import { Changes, Problems, Warnings } from './import-report.tsx';
import { said } from './import-words.ts';
import { PastNotice } from './past.tsx';

interface Imports<What extends string> {
  readonly title: string;
  readonly back: { readonly href: string; readonly text: string };
  /** Lists that a file may have, with their columns. */
  readonly lists: readonly {
    readonly name: What;
    readonly title: string;
    readonly columns: string;
    /** Those that columns of any name can be chosen for. */
    readonly fields?: readonly string[];
  }[];
  /** The address of an empty list. */
  template(what: What, format: 'xlsx' | 'csv'): string;
  send(what: What, dryRun: boolean, file: Blob, chosen: FileChoices): Promise<ImportReport>;
  /** More to choose for a list. */
  more?(what: What, forget: () => void): ComponentChildren;
}

/**
 * Imports a list from a CSV or XLSX file. The file is checked as soon as it is chosen: shows what is
 * wrong, line by line, and what would change. It is then imported as a whole.
 */
export function ImportForm<What extends string>({ title, back, lists, template, send: sendFile, more }: Imports<What>) {
  const what = useSignal<What>(lists[0]!.name);
  /** A copy from when it was chosen: a browser does not read a file that was saved since. */
  const file = useSignal<Blob | null>(null);
  const report = useSignal<ImportReport | null>(null);
  const chosen = useSignal<FileChoices>({});
  const { busy, refused, run } = useDoing();
  const text = said.value;
  usePagePart(title);
  if (!may('staff')) return <p class="sentence">{words.value.problem.notAllowed(words.value.roles.staff)}</p>;
  const send = (dryRun: boolean, choices: FileChoices = chosen.value) =>
    run(async () => {
      report.value = null;
      report.value = await sendFile(what.value, dryRun, file.value!, choices);
    });
  /** The encoding of the preview that was confirmed, be it a guess. */
  const confirmed = (): FileChoices => {
    const guess = report.value?.encoding;
    return guess && !guess.certain ? { ...chosen.value, encoding: guess.name as CsvEncoding } : chosen.value;
  };
  const forget = () => {
    report.value = null;
    refused.value = '';
  };
  const choose = (choices: FileChoices) => {
    chosen.value = choices;
    void send(true);
  };
  const fields = lists.find(({ name }) => name === what.value)?.fields ?? [];
  return (
    <>
      <p class="sentence">{title}</p>
      <p>
        <a href={back.href}>{back.text}</a>
      </p>
      <p>{text.importLead}</p>
      <p class="quiet">{lists.find(({ name }) => name === what.value)?.columns}</p>
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
            chosen.value = {};
            forget();
          }}
        >
          {lists.map(one => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </Choice>
        {more?.(what.value, forget)}
        <Field
          label={text.file}
          type="file"
          accept=".csv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          required
          onClick={event => {
            // The same file, corrected, counts as another choice.
            event.currentTarget.value = '';
            file.value = null;
          }}
          onChange={event => {
            forget();
            chosen.value = {};
            const picked = event.currentTarget.files?.[0];
            void run(async () => {
              file.value = picked ? new Blob([await picked.arrayBuffer()]) : null;
              if (file.value) report.value = await sendFile(what.value, true, file.value, {});
            });
          }}
        />
        {file.value && !report.value && !busy.value && (
          <button type="submit" class="act go">
            {text.check}
          </button>
        )}
      </form>
      <p class="bar">
        {(['xlsx', 'csv'] as const).map(format => (
          <a key={format} class="act" href={template(what.value, format)} download>
            {text.template(format.toUpperCase())}
          </a>
        ))}
      </p>
      <Refused text={refused.value} />
      <div role="status">{report.value && <p class={classOf(report.value)}>{outcome(report.value)}</p>}</div>
      {report.value && <HowRead report={report.value} chosen={chosen.value} onChoose={choose} />}
      {report.value?.dry_run && fields.length > 0 && (
        <FileColumns report={report.value} fields={fields} chosen={chosen.value} onChoose={choose} />
      )}
      {report.value && <Details report={report.value} />}
      {report.value?.dry_run && report.value.wrong === 0 && changesOf(report.value) > 0 && (
        <p>
          <button type="button" class="act go" disabled={busy.value} onClick={() => void send(false, confirmed())}>
            {text.apply(changesOf(report.value))}
          </button>
        </p>
      )}
    </>
  );
}

/** On the page. */
const departmentsMax = 50;

const changesOf = ({ added, changed }: ImportReport): number => added + changed;
const classOf = ({ wrong }: ImportReport): string => (wrong > 0 ? 'notice bad' : 'notice ok');

function outcome(report: ImportReport): string {
  const text = said.value;
  const { wrong, added, changed, same, dry_run, departments } = report;
  if (wrong > 0) return text.wrong(wrong);
  if (changesOf(report) === 0) return text.nothing;
  const made = departments.length > 0 ? ` ${(dry_run ? text.willMake : text.made)(departments.length)}` : '';
  return `${(dry_run ? text.would : text.did)(added, changed, same)}${made}`;
}

function Details({ report }: { report: ImportReport }) {
  const text = said.value;
  if (report.wrong > 0)
    return (
      <>
        {changesOf(report) > 0 && <p class="quiet">{text.others(changesOf(report))}</p>}
        <Problems report={report} />
        <Warnings report={report} />
      </>
    );
  if (!report.dry_run) return null;
  return (
    <>
      {report.departments.length > 0 && (
        <p>{text.newDepartments(report.departments.slice(0, departmentsMax).join(', '))}</p>
      )}
      <Warnings report={report} />
      <PastNotice change={report.past ?? null} />
      <Changes report={report} />
    </>
  );
}
