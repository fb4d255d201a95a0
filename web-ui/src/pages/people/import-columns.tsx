import type { ImportReport } from '../../../../src/admin/ui/import-report.ts';
import { Choice } from '../../parts/field.tsx';
import type { FileChoices } from './how-read.tsx';
import { fieldWords } from './import-report.tsx';
import { said } from './import-words.ts';

/** The columns of the file as they were read, each of which can be chosen otherwise. */
export function FileColumns({
  report: { columns, problems },
  fields,
  chosen,
  onChoose,
}: {
  readonly report: ImportReport;
  readonly fields: readonly string[];
  readonly chosen: FileChoices;
  /** The file is to be read again with these. */
  onChoose(choices: FileChoices): void;
}) {
  if (columns.length === 0) return null;
  const text = said.value;
  const placeOf = (field: string) => columns.findIndex(one => one.field === field) + 1;
  const choose = (field: string, place: number) =>
    onChoose({
      ...chosen,
      columns: fields.map(one => `${one}=${one === field ? place : (picked(one) ?? placeOf(one))}`).join(','),
    });
  const choices = new Map((chosen.columns?.split(',') ?? []).map(one => one.split('=') as [string, string]));
  const picked = (field: string) => (choices.has(field) ? Number(choices.get(field)) : undefined);
  const isMissing = problems.some(({ code }) => code === 'no_column');
  return (
    <details open={isMissing || chosen.columns !== undefined}>
      <summary>{text.columnsTitle}</summary>
      <p class="quiet">{text.columnsLead}</p>
      <div class="bar">
        {fields.map(field => (
          <Choice
            key={field}
            label={fieldWords(field)}
            value={String(picked(field) ?? placeOf(field))}
            onChange={event => choose(field, Number(event.currentTarget.value))}
          >
            <option value="0">{field === 'ext_id' ? text.sameAsNumber : text.notInFile}</option>
            {columns.map(({ title, samples }, at) => (
              <option key={at} value={String(at + 1)}>
                {text.columnOf(title || String(at + 1), samples.slice(0, 2).join(', '))}
              </option>
            ))}
          </Choice>
        ))}
      </div>
    </details>
  );
}
