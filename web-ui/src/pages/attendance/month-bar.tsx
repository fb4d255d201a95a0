import { Field } from '../../parts/field.tsx';
import { isMonth, monthShifted } from './dates.ts';
import { said } from './words.ts';

/** From month to month. A browser without a month field takes it as text, written 2026-11. */
export function MonthBar({ month, go }: { month: string | undefined; go: (month: string) => void }) {
  const text = said.value;
  return (
    <>
      <button type="button" class="act" disabled={!month} onClick={() => month && go(monthShifted(month, -1))}>
        <span aria-hidden="true">‹ </span>
        {text.monthBefore}
      </button>
      <Field
        label={text.monthField}
        type="month"
        value={month ?? ''}
        onChange={event => isMonth(event.currentTarget.value) && go(event.currentTarget.value)}
      />
      <button type="button" class="act" disabled={!month} onClick={() => month && go(monthShifted(month, 1))}>
        {text.monthAfter}
        <span aria-hidden="true"> ›</span>
      </button>
    </>
  );
}
