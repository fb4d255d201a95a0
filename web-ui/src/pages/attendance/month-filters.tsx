import type { MonthFiguresReport } from '../../../../src/admin/ui/month-figures.ts';
import { type MonthFilter, monthFilters } from '../../../../src/platform/day-figures.ts';
import { count } from '../../parts/numbers.ts';
import { DayMark, type MarkName } from './day-mark.tsx';
import { monthWords } from './month-words.ts';
import { figureWords } from './results.ts';

const everybody = 'all';

/**
 * The filters that the address names. Without any: who needs review, or everybody where nobody does.
 */
export function filtersIn(show: string | undefined, figures: MonthFiguresReport | null): readonly MonthFilter[] {
  if (show === undefined) return figures?.counts.review === 0 ? [] : ['review'];
  const named = show.split(',');
  return monthFilters.filter(filter => named.includes(filter));
}

/** A button for each filter that finds somebody. Figures are combined; who needs review stands alone. */
export function MonthFilters({
  figures,
  chosen,
  choose,
}: {
  figures: MonthFiguresReport;
  chosen: readonly MonthFilter[];
  /** Undefined: what the page opens on. */
  choose: (show: string | undefined) => void;
}) {
  const text = monthWords.value;
  const shown = monthFilters.filter(filter => figures.counts[filter] > 0 || chosen.includes(filter));
  const next = (filter: MonthFilter): readonly MonthFilter[] => {
    if (chosen.includes(filter)) return chosen.filter(one => one !== filter);
    return filter === 'review' ? ['review'] : [...chosen.filter(one => one !== 'review'), filter];
  };
  return (
    <fieldset class="statuses no-print" aria-label={text.filter}>
      <button type="button" class="act small" aria-pressed={chosen.length === 0} onClick={() => choose(everybody)}>
        {text.withCount(text.everybody, count(figures.people))}
      </button>
      {shown.map(filter => (
        <button
          key={filter}
          type="button"
          class="act small"
          aria-pressed={chosen.includes(filter)}
          onClick={() => choose(written(next(filter)))}
        >
          {filter !== 'review' && <DayMark mark={marks[filter]} />}
          {text.withCount(filter === 'review' ? text.review : figureWords(filter), count(figures.counts[filter]))}
        </button>
      ))}
    </fieldset>
  );
}

const written = (filters: readonly MonthFilter[]): string | undefined =>
  filters[0] === 'review' ? undefined : filters.join(',') || everybody;

const marks: Readonly<Record<Exclude<MonthFilter, 'review'>, MarkName>> = {
  missing_in: 'missing_in',
  missing_out: 'missing_out',
  absent: 'absent',
  late: 'late',
  early: 'late',
  overtime: 'extra',
  leave: 'leave',
};
