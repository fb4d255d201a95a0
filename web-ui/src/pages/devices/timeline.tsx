import type { DevicePageReport } from '../../../../src/admin/ui/device-page.ts';
import { now } from '../../parts/now.ts';
import { ago, count, moment } from '../../parts/numbers.ts';
import { refusalSaid, whySaid } from '../../parts/reasons.ts';
import { say } from './words.ts';

/** When the device connected and disconnected and why, newest first, and its refused logins. */
export function Timeline({ device: { events, refusals } }: { device: Pick<DevicePageReport, 'events' | 'refusals'> }) {
  const said = say.value;
  return (
    <section aria-labelledby="events">
      <h2 id="events">{said.events}</h2>
      {events.length === 0 && <p class="quiet">{said.noEvents}</p>}
      {events.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <ol class="device-timeline" tabIndex={0} aria-label={said.events}>
          {events.map((event, index) => (
            <li key={`${event.at} ${index}`}>
              <span class="mono">{moment(event.at)}</span> <b>{said.eventKinds[event.kind] ?? event.kind}</b>{' '}
              <span class="quiet">{whySaid({ why: event.detail, code: event.code, params: event.params })}</span>
            </li>
          ))}
        </ol>
      )}
      {refusals.length > 0 && (
        <>
          <h2>{said.refusals}</h2>
          <ul class="refused-devices">
            {refusals.map(one => (
              <li key={one.code}>
                <time class="quiet" dateTime={new Date(one.at).toISOString()} title={moment(one.at)}>
                  {said.refusedTimes(count(one.count), ago(one.at, now.value), one.address)}
                </time>
                <p>{refusalSaid(one.code, one.detail, one.message)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
