import { useEffect } from 'preact/hooks';
import type { RefusedCallReport } from '../../../../src/admin/ui/integrations.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { mistakeWords } from './mistake-words.ts';
import { SignedString } from './signed-string.tsx';
import { integrationWords } from './words.ts';

const lookEveryMs = 5000;

/** Why calls were refused: the string that the box signed, and where the caller's differs. */
export function RefusedAttendanceCalls({
  calls: all,
  only,
  reload,
}: {
  calls: readonly RefusedCallReport[];
  /** The caller of whom alone they are shown. */
  only: string | undefined;
  reload: () => void;
}) {
  const calls = only === undefined ? all : all.filter(({ caller }) => caller === only);
  const said = integrationWords.value;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [reload]);
  const others = only !== undefined && (
    <p class="notice">
      {said.onlyCaller(only || said.nobody)} <a href="/integrations?tab=refused">{said.allCallers}</a>
    </p>
  );
  if (calls.length === 0)
    return (
      <>
        {others}
        <p class="quiet">{said.noRefused}</p>
      </>
    );
  return (
    <>
      {others}
      <p class="quiet">{said.refusedLead}</p>
      {[...Map.groupBy(calls, call => `${call.kind} ${call.caller}`)].map(([key, ofCaller]) => (
        <Caller key={key} calls={ofCaller} />
      ))}
    </>
  );
}

/** Mistakes in the calls of one program. */
function Caller({ calls }: { calls: readonly RefusedCallReport[] }) {
  const said = integrationWords.value;
  const [{ caller, kind }] = calls as [RefusedCallReport];
  return (
    <section>
      <h2>
        <span class="mono">{caller || said.nobody}</span> <span class="quiet">{said.kinds[kind]}</span>
      </h2>
      {calls.map(call => (
        <Call key={`${call.address} ${call.path} ${call.mistake} ${call.named}`} call={call} />
      ))}
    </section>
  );
}

function Call({ call }: { call: RefusedCallReport }) {
  const said = integrationWords.value;
  return (
    <article class="refused-call">
      <p>
        <b>{mistakeWords(call)}</b>
      </p>
      <dl class="facts">
        <dt>{said.call}</dt>
        <dd class="mono">{call.path}</dd>
        <dt>{said.from}</dt>
        <dd>
          <span class="mono">{call.address}</span> · {said.times(call.count)} ·{' '}
          <time dateTime={new Date(call.at).toISOString()} title={moment(call.at)}>
            {ago(call.at, now.value)}
          </time>
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
  );
}
