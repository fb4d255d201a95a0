import { addDays } from '../../../../src/runtime/calendar-date.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { day as dayOf, moment } from '../../parts/numbers.ts';
import { correctionWords } from '../attendance/correction-words.ts';
import { datesOf } from '../attendance/dates.ts';
import { kindWords } from '../schedules/words.ts';
import { AskLeave, inWords } from './asking.tsx';
import { said } from './words.ts';

interface Request {
  readonly key: string;
  readonly what: string;
  readonly reason: string;
  readonly state: 'asked' | 'approved' | 'refused' | 'withdrawn';
  readonly withdraw: () => Promise<unknown>;
}

/** Requests of a month, and the decisions on them. */
export function Requests({ month, asked }: { month: string; asked: () => void }) {
  const dates = datesOf(month);
  const { loaded, reload } = useLoaded('/own-page/requests', { from: dates[0]!, to: dates.at(-1)! });
  const { busy, refused, run } = useDoing(inWords);
  const text = said.value;
  const { data, problem } = loaded.value;
  const requests: Request[] = [
    ...(data?.corrections ?? []).map(({ id, at, reason, state }) => ({
      ...{ key: `c${id}`, what: text.checkin(moment(at * 1000).slice(0, 16)), reason, state },
      withdraw: () => post('/own-page/corrections/{id}/withdraw', { id }),
    })),
    ...(data?.leaves ?? []).map(({ id, kind, from, to, reason, state }) => ({
      ...{ key: `l${id}`, what: text.leaveOf(kindWords(kind), dayIn(from), lastDayOf(to)), reason, state },
      withdraw: () => post('/own-page/leaves/{id}/withdraw', { id }),
    })),
  ];
  const withdraw = async (request: Request) => {
    await run(request.withdraw);
    reload();
  };
  return (
    <section aria-labelledby="my-requests">
      <h2 id="my-requests">{text.requests}</h2>
      <p class="bar">
        <AskLeave day={dayOf(now.peek())} asked={asked} />
      </p>
      <ProblemNotice problem={refused.value ?? problem} again={reload} />
      {!data && !problem && <Loading rows={2} />}
      {data && requests.length === 0 && <p class="quiet">{text.noRequests}</p>}
      <ul class="my-requests">
        {requests.map(request => (
          <li key={request.key}>
            <span>{request.what}</span>
            <span class={request.state === 'asked' ? 'warn' : 'quiet'}>
              {correctionWords.value.states[request.state]}
            </span>
            {request.reason !== '' && <span class="quiet">{request.reason}</span>}
            {request.state === 'asked' && (
              <button
                type="button"
                class="act small"
                aria-label={text.withdrawOf(request.what)}
                disabled={busy}
                onClick={() => void withdraw(request)}
              >
                {text.withdraw}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const dayIn = (time: string): string => time.slice(0, 10);
/** The end is exclusive. */
const lastDayOf = (to: string): string => (to.endsWith('T00:00') ? addDays(dayIn(to), -1) : dayIn(to));
