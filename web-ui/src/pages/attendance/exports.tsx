import { signal } from '@preact/signals';
import { query } from '../../api.ts';
import { kept } from '../../kept.ts';
import { Choice } from '../../parts/field.tsx';
import { said } from './words.ts';

const separators = ['comma', 'semicolon', 'tab'] as const;
/** Separator of CSV files; undefined for that of the site's language. */
const separator = signal(separators.find(one => one === localStorage.getItem(kept.separator)));

/** A CSV file of `/reports`, with the separator that was chosen. */
export const csvAddress = (file: string, filter: Readonly<Record<string, unknown>>): string =>
  `/admin/v1/reports/${file}.csv${query({ ...filter, separator: separator.value })}`;

/** The same files as the command makes, in the language of the site. */
export function Exports({ filter }: { filter: Readonly<Record<string, unknown>> }) {
  const text = said.value;
  return (
    <span class="exports">
      <a class="act" href={`/admin/v1/reports/checkins.xlsx${query(filter)}`} download>
        {text.xlsx}
      </a>
      <a class="act" href={csvAddress('checkins', filter)} download>
        {text.csv}
      </a>
      <Choice
        label={text.separator}
        value={separator.value ?? ''}
        onChange={event => {
          const chosen = event.currentTarget.value;
          separator.value = separators.find(one => one === chosen);
          localStorage.setItem(kept.separator, chosen);
        }}
      >
        <option value="">{text.separatorOfSite}</option>
        {separators.map(one => (
          <option key={one} value={one}>
            {text.separators[one]}
          </option>
        ))}
      </Choice>
      <span class="quiet">{text.whichFile}</span>
    </span>
  );
}
