import type { TodayReport } from '../../../../src/admin/ui/today.ts';
import { query } from '../../api.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { mistakeWords, refusedCallWords } from '../integrations/mistake-words.ts';
import { say } from './words.ts';

/** The programs of which calls are refused, and what they do wrong. */
export function RefusedCalls({ calls }: { calls: TodayReport['refused_calls'] }) {
  if (calls.length === 0) return null;
  return (
    <>
      <h2>{say.value.refusedCalls}</h2>
      {calls.map(call => (
        <p key={`${call.kind} ${call.caller}`}>
          <a class="mono" href={`/integrations${query({ tab: 'requests', caller: call.caller })}`}>
            {call.caller || refusedCallWords.value.nobody}
          </a>{' '}
          <time class="quiet" dateTime={new Date(call.at).toISOString()} title={moment(call.at)}>
            {ago(call.at, now.value)}
          </time>
          <br />
          {mistakeWords(call)}
        </p>
      ))}
    </>
  );
}
