import { useEffect } from 'preact/hooks';
import type { RefusedCallReport } from '../../../../src/admin/ui/integrations.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { SignedString } from './signed-string.tsx';
import { integrationWords } from './words.ts';

const lookEveryMs = 5000;

/** Why calls were refused: the string that the box signed, and where the caller's differs. */
export function RefusedAttendanceCalls({ calls, reload }: { calls: readonly RefusedCallReport[]; reload: () => void }) {
  const said = integrationWords.value;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [reload]);
  if (calls.length === 0) return <p class="quiet">{said.noRefused}</p>;
  return (
    <>
      <p class="quiet">{said.refusedLead}</p>
      {calls.map(call => (
        <article key={`${call.kind} ${call.caller} ${call.path} ${call.mistake}`} class="refused-call">
          <h2>
            <span class="mono">{call.caller || said.nobody}</span>{' '}
            <span class="quiet">
              {said.kinds[call.kind]} ·{' '}
              <time dateTime={new Date(call.at).toISOString()}>{ago(call.at, now.value)}</time> ·{' '}
              {said.times(call.count)}
            </span>
          </h2>
          <p>
            <b>{mistakeWords(call)}</b>
          </p>
          <dl class="facts">
            <dt>{said.call}</dt>
            <dd class="mono">{call.path}</dd>
            <dt>{said.from}</dt>
            <dd class="mono">
              {call.address} · {moment(call.at)}
            </dd>
            {call.differs && (
              <>
                <dt>{said.differs}</dt>
                <dd>
                  <b class="mono">{call.differs}</b>
                </dd>
              </>
            )}
          </dl>
          {call.parts.length > 0 && (
            <>
              <h3>{said.boxSigned}</h3>
              <SignedString parts={call.parts} differs={call.differs} />
              <p class="quiet">{said.maskNote}</p>
            </>
          )}
        </article>
      ))}
    </>
  );
}

function mistakeWords({ mistake, message }: RefusedCallReport): string {
  const known = integrationWords.value.mistakes as Readonly<Record<string, string>>;
  return known[mistake] ?? message;
}
