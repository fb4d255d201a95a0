import type { ImportReport } from '../../../../src/admin/ui/import-report.ts';
import { type CsvEncoding, csvEncodings, writingOf } from '../../../../src/platform/csv-encodings.ts';
import { Choice } from '../../parts/field.tsx';
import { said } from './import-words.ts';

/** How to read a file; undefined: as the box finds it. */
export interface FileChoices {
  readonly encoding?: CsvEncoding | undefined;
  readonly sheet?: string | undefined;
  /** Columns by field, as the API takes them. */
  readonly columns?: string | undefined;
}

interface Reading {
  readonly report: ImportReport;
  readonly chosen: FileChoices;
  /** The file is to be read again with these. */
  onChoose(choices: FileChoices): void;
}

/** How the file was read, where it can be read in another way: its encoding, its sheet. */
export function HowRead({ report, chosen, onChoose }: Reading) {
  const { encoding, sheet, sheets } = report;
  const text = said.value;
  const isChoice = encoding !== null && (!encoding.certain || !/^utf-/.test(encoding.name) || isSpoiled(report));
  const named = (name: string) => {
    const writing = writingOf(name);
    return writing ? text.encodingOf(text.writings[writing], name) : name.toUpperCase();
  };
  return (
    <>
      {isChoice && (
        <>
          <p class={encoding.certain ? 'quiet' : 'notice'}>
            {(encoding.certain ? text.encodingRead : text.encodingGuessed)(named(encoding.name))}
          </p>
          <p>{encoding.samples.join(' · ')}</p>
        </>
      )}
      {(isChoice || chosen.encoding !== undefined) && (
        <Choice
          label={text.encoding}
          value={chosen.encoding ?? ''}
          onChange={event => {
            const value = event.currentTarget.value;
            onChoose({ ...chosen, encoding: value === '' ? undefined : (value as CsvEncoding) });
          }}
        >
          <option value="">{text.encodingFound}</option>
          {csvEncodings.map(name => (
            <option key={name} value={name}>
              {named(name)}
            </option>
          ))}
        </Choice>
      )}
      {sheets.length > 1 && (
        <Choice
          label={text.sheet}
          value={sheet ?? ''}
          onChange={event => onChoose({ ...chosen, columns: undefined, sheet: event.currentTarget.value })}
        >
          {sheets.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Choice>
      )}
    </>
  );
}

const isSpoiled = ({ problems }: ImportReport): boolean => problems.some(({ code }) => code === 'strange_character');
