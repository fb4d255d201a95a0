import { query } from '../../api.ts';
import { may } from '../../session.ts';
import { said } from './words.ts';

/** Day, month or daily reports; the department and the site go with day and month. */
export function Views({
  view,
  kept: { department, box },
}: {
  view: 'day' | 'month' | 'reports';
  kept: { department: string | undefined; box: string | undefined };
}) {
  const words = said.value;
  const kept = query({ department, box });
  return (
    <nav class="tabs" aria-label={words.views}>
      <a href={`/attendance${kept}`} aria-current={view === 'day' ? 'page' : undefined}>
        {words.day}
      </a>
      <a href={`/attendance/month${kept}`} aria-current={view === 'month' ? 'page' : undefined}>
        {words.month}
      </a>
      {may('staff') && (
        <a href="/attendance/reports" aria-current={view === 'reports' ? 'page' : undefined}>
          {words.dailyReports}
        </a>
      )}
    </nav>
  );
}
