import type { LiveStatus } from '../../../src/admin/ui/live.ts';
import { alertWords, standingTitle } from '../../../src/platform/alert-words.ts';
import type { Alert } from '../../../src/platform/alerts.ts';
import { status } from '../live.ts';
import { area } from '../words/index.ts';
import { now } from './now.ts';
import { day, hourMinute } from './numbers.ts';
import { alertLanguageOfPage } from './open-alerts.tsx';
import './standing.css';

export type StandingRow = NonNullable<LiveStatus['standing']>[number];

const words = area(
  {
    label: 'To do',
    allWell: 'All systems normal',
    since: (at: string) => `since ${at}`,
  },
  {
    label: '待处理',
    allWell: '运行正常',
    since: at => `${at} 起`,
  },
);

/** List of what wants a person, as the box said it last; null: it has not said yet. */
export const standingRows = (): readonly StandingRow[] | null => status.value?.standing ?? null;

/** One sentence for the state of the box: the worst that wants a person; else that all is well. */
export function standingSentence(rows: readonly StandingRow[]): string {
  const [worst] = rows;
  return worst ? `${titleOf(worst)}${sinceOf(worst)}` : words.value.allWell;
}

export const titleOf = (row: StandingRow): string =>
  standingTitle({ ...row, details: row.details as Alert['details'] }, alertLanguageOfPage());

function sinceOf({ since }: StandingRow): string {
  if (since === null) return '';
  const at = hourMinute(since);
  return ` · ${words.value.since(day(since) === day(now.value) ? at : `${day(since)} ${at}`)}`;
}

/**
 * Entries, the worst first: a link to the place where it is mended, and what to do there. `isWall`:
 * nothing to press, and nothing to do.
 */
export function StandingList({ rows, isWall = false }: { rows: readonly StandingRow[]; isWall?: boolean }) {
  if (rows.length === 0) return null;
  const { severities, kinds } = alertWords[alertLanguageOfPage()];
  return (
    <ul class="standing" aria-label={words.value.label}>
      {rows.map(row => (
        <li key={row.kind} data-severity={row.severity}>
          <p>
            <span class="heard-only">{severities[row.severity]} </span>
            {isWall ? titleOf(row) : <a href={row.path}>{titleOf(row)}</a>}
            <span class="quiet">{sinceOf(row)}</span>
          </p>
          {!isWall && <p class="quiet">{kinds[row.kind].todo(row.details as Alert['details'])}</p>}
        </li>
      ))}
    </ul>
  );
}
