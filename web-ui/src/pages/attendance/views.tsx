import { query } from '../../api.ts';
import { said } from './words.ts';

/** Day or month; the department goes with it. */
export function Views({ view, department }: { view: 'day' | 'month'; department: string | undefined }) {
  const words = said.value;
  const kept = query({ department });
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
