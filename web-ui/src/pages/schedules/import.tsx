import { useSignal } from '@preact/signals';
import { postFile, query } from '../../api.ts';
import { Field } from '../../parts/field.tsx';
import { language } from '../../words/index.ts';
import { isMonth } from '../attendance/dates.ts';
import { ImportForm } from '../people/import-form.tsx';
import { said } from './import-words.ts';

/** Imports shifts, or who works which, from a CSV or XLSX file. */
export function ImportPlans() {
  const month = useSignal('');
  const text = said.value;
  const monthOf = (what: string) => (what === 'month' && isMonth(month.value) ? month.value : undefined);
  return (
    <ImportForm
      title={text.title}
      back={{ href: '/schedules/rosters', text: text.back }}
      lists={[
        { name: 'month', title: text.month, columns: text.monthColumns },
        { name: 'rosters', title: text.rosters, columns: text.rosterColumns },
        { name: 'shifts', title: text.shifts, columns: text.shiftColumns },
      ]}
      more={(what, forget) =>
        what === 'month' && (
          <Field
            label={text.ofMonth}
            type="month"
            value={month.value}
            onInput={event => {
              month.value = event.currentTarget.value;
              forget();
            }}
          />
        )
      }
      template={(what, format) =>
        `/admin/v1/schedules/import/template.${format}${query({
          what: sectionOf(what),
          month: what === 'month' ? (monthOf(what) ?? new Date().toISOString().slice(0, 7)) : undefined,
          language: language.value,
        })}`
      }
      send={(what, dryRun, file, chosen) =>
        postFile('/schedules/import', { what: sectionOf(what), dry_run: dryRun, month: monthOf(what), ...chosen }, file)
      }
    />
  );
}

const sectionOf = (what: 'month' | 'rosters' | 'shifts') => (what === 'shifts' ? 'shifts' : 'rosters');
