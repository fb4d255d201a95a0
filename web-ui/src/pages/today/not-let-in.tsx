import type { TodayReport } from '../../../../src/admin/ui/today.ts';
import { query } from '../../api.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { refusalSaid } from '../../parts/reasons.ts';
import { words } from '../../words/index.ts';

/** The devices that are refused, and why; the page Devices has the buttons for what helps. */
export function NotLetIn({ refused, count }: { refused: TodayReport['refused']; count: number }) {
  const said = words.value.today;
  return (
    <>
      <h2>{said.refused}</h2>
      {count === 0 && <p class="quiet">{said.noRefused}</p>}
      {refused.map(one => (
        <p key={`${one.client_id} ${one.code}`}>
          <a class="mono" href={`/devices${query({ refused: one.client_id || one.address })}`}>
            {one.client_id || one.address}
          </a>{' '}
          <span class="quiet">
            {said.refusedTimes(one.count)},{' '}
            <time dateTime={new Date(one.at).toISOString()} title={moment(one.at)}>
              {ago(one.at, now.value)}
            </time>
          </span>
          <br />
          {refusalSaid(one.code, one.detail, one.message)}
        </p>
      ))}
      {count > 0 && (
        <p>
          <a href="/devices">{said.allRefused}</a>
        </p>
      )}
    </>
  );
}
