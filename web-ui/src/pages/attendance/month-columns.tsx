import { useSignal } from '@preact/signals';
import type { MonthColumns as Report } from '../../../../src/admin/ui/month-reports.ts';
import { get, type Problem, put } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { monthWords } from './month-words.ts';

/** Which columns payroll expects: chosen once, and kept for the site. */
export function MonthColumns() {
  const report = useSignal<Report | null>(null);
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const text = monthWords.value;
  const close = () => {
    report.value = null;
    problem.value = null;
  };
  const open = async () => {
    try {
      report.value = await get('/attendance/month/columns');
    } catch (error) {
      problem.value = error as Problem;
    }
  };
  const save = async (form: HTMLFormElement) => {
    busy.value = true;
    try {
      const columns = new FormData(form).getAll('column').map(String) as Report['chosen'][number][];
      await put('/attendance/month/columns', { columns });
      close();
    } catch (error) {
      problem.value = error as Problem;
    }
    busy.value = false;
  };
  const shown = report.value;
  return (
    <>
      <button type="button" class="act" onClick={() => void open()}>
        {text.columns}
      </button>
      {!shown && <ProblemNotice problem={problem.value} />}
      {shown && (
        <Dialog title={text.columnsTitle} close={close}>
          <form
            onSubmit={event => {
              event.preventDefault();
              void save(event.currentTarget);
            }}
          >
            <p class="quiet">{text.columnsHint}</p>
            <ProblemNotice problem={problem.value} />
            <div class="columns">
              {shown.all.map(({ name, header }) => (
                <label key={name} class="check">
                  <input type="checkbox" name="column" value={name} defaultChecked={shown.chosen.includes(name)} />
                  {header}
                </label>
              ))}
            </div>
            <DialogButtons go={text.columnsSave} busy={busy.value} close={close} />
          </form>
        </Dialog>
      )}
    </>
  );
}
