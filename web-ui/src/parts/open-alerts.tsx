import type { AnswerOf } from '../../../src/admin-client/calls.ts';
import { alertTitle, alertWords } from '../../../src/platform/alert-words.ts';
import type { Alert } from '../../../src/platform/alerts.ts';
import { area, language } from '../words/index.ts';
import { now } from './now.ts';
import { span } from './numbers.ts';
import './open-alerts.css';

export type AlertRow = AnswerOf<'get', '/alerts'>['open'][number];

export const alertLanguageOfPage = (): 'en' | 'zh' => (language.value === 'en' ? 'en' : 'zh');

/** The row's alert in the language of the page. */
export const saidOf = (row: Pick<AlertRow, 'kind' | 'subject' | 'details'>) => {
  const of = alertLanguageOfPage();
  const words = alertWords[of].kinds[row.kind];
  const details = row.details as Alert['details'];
  return { title: alertTitle({ ...row, details }, of), means: words.means(details), todo: words.todo(details) };
};

const words = area(
  {
    open: 'Open alerts',
    lasts: (span: string) => `for ${span}`,
    look: 'View',
    more: (count: number) => `And ${count} more.`,
  },
  { open: '当前告警', lasts: span => `已 ${span}`, look: '查看', more: count => `另外还有 ${count} 条。` },
);

/** Open alerts: the fact, since when, its meaning, the remedy, and the place. */
export function OpenAlerts({ rows, count }: { rows: readonly AlertRow[]; count: number }) {
  if (rows.length === 0) return null;
  const severities = alertWords[alertLanguageOfPage()].severities;
  return (
    <>
      <ul class="alerts" aria-label={words.value.open}>
        {rows.map(row => {
          const { title, means, todo } = saidOf(row);
          return (
            <li key={row.id} data-severity={row.severity}>
              <p>
                <span class="severity">{severities[row.severity]}</span> <b>{title}</b>{' '}
                <span class="quiet">{words.value.lasts(span(Math.max(0, now.value - row.since)))}</span>
              </p>
              <p class="quiet">{means}</p>
              <p>
                {todo}{' '}
                <a href={row.path} aria-label={`${words.value.look}: ${title}`}>
                  {words.value.look}
                </a>
              </p>
            </li>
          );
        })}
      </ul>
      {count > rows.length && (
        <p>
          <a href="/system/alerts">{words.value.more(count - rows.length)}</a>
        </p>
      )}
    </>
  );
}
