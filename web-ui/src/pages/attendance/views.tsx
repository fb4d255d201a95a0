import { query } from '../../api.ts';
import { said } from './words.ts';

/** Day or month; the department and the site go with it. */
export function Views({
  view,
  kept: { department, box },
}: {
  view: 'day' | 'month';
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
    </nav>
  );
}
