import { useSignal } from '@preact/signals';
import type { MonthColumns as Report } from '../../../../src/admin/ui/month-reports.ts';
import { get, put } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { monthWords } from './month-words.ts';

/** Which columns payroll expects: chosen once, and kept for the site. */
export function MonthColumns() {
  const report = useSignal<Report | null>(null);
  const { refused, run } = useDoing();
  const text = monthWords.value;
  const close = () => {
    report.value = null;
  };
  const open = () =>
    run(async () => {
      report.value = await get('/attendance/month/columns');
    });
  const save = async (form: FormData) => {
    const columns = form.getAll('column').map(String) as Report['chosen'][number][];
    await put('/attendance/month/columns', { columns });
    close();
  };
  const shown = report.value;
  return (
    <>
      <button type="button" class="act" onClick={() => void open()}>
        {text.columns}
      </button>
      <ProblemNotice problem={refused.value} />
      {shown && (
        <AskDialog title={text.columnsTitle} go={text.columnsSave} run={save} close={close}>
          <p class="quiet">{text.columnsHint}</p>
          <div class="columns">
            {shown.all.map(({ name, header }) => (
              <label key={name} class="check">
                <input type="checkbox" name="column" value={name} defaultChecked={shown.chosen.includes(name)} />
                {header}
              </label>
            ))}
          </div>
        </AskDialog>
      )}
    </>
  );
}
