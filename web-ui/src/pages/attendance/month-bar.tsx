import { Field } from '../../parts/field.tsx';
import { isMonth, monthShifted } from './dates.ts';
import { said } from './words.ts';

/** From month to month. A browser without a month field takes it as text, written 2026-11. */
export function MonthBar({ month, go }: { month: string | undefined; go: (month: string) => void }) {
  const text = said.value;
  return (
    <>
      <Step by={-1} label={text.monthBefore} go={month && (() => go(monthShifted(month, -1)))} />
      <Field
        label={text.monthField}
        type="month"
        value={month ?? ''}
        onChange={event => isMonth(event.currentTarget.value) && go(event.currentTarget.value)}
      />
      <Step by={1} label={text.monthAfter} go={month && (() => go(monthShifted(month, 1)))} />
    </>
  );
}

/** To what comes before or after; on a phone an arrow alone. */
export const Step = ({ by, label, go }: { by: -1 | 1; label: string; go: (() => void) | undefined | '' }) => (
  <button type="button" class="act step" aria-label={label} disabled={!go} onClick={go || undefined}>
    {by < 0 && '‹'}
    <span class="wide-only">{by < 0 ? <>&nbsp;{label}</> : <>{label}&nbsp;</>}</span>
    {by > 0 && '›'}
  </button>
);
