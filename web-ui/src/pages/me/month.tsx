import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { day as dayOf, hourMinute } from '../../parts/numbers.ts';
import { Receipt } from '../../parts/receipt.tsx';
import { typeWords } from '../../words/punches.ts';
import { dayName, weekdayOf } from '../attendance/dates.ts';
import { DayMark } from '../attendance/day-mark.tsx';
import { hours, markOf, type ResultDay, wordsOf } from '../attendance/results.ts';
import { said as attendanceWords } from '../attendance/words.ts';
import { AskCheckIn, inWords } from './asking.tsx';
import { said } from './words.ts';

type Month = AnswerOf<'get', '/own-page/month'>;

/**
 * The days of a month up to today, the newest first, each opens to its check-ins; then the plan of
 * those to come.
 */
export function OwnMonth({ month, asked }: { month: string; asked: () => void }) {
  const { loaded, reload } = useLoaded('/own-page/month', { month });
  const open = useSignal('');
  const { data, problem } = loaded.value;
  const today = dayOf(now.value);
  const days = data?.days.filter(day => day.kind !== 'not_employed') ?? [];
  const past = days.filter(day => day.date <= today).reverse();
  const toCome = days.filter(day => day.date > today && day.segments.length > 0);
  return (
    <>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading />}
      {data && <p class="sentence">{summary(data)}</p>}
      {data && month < today.slice(0, 7) && <Confirmation month={month} of={data} changed={reload} />}
      {past.length > 0 && (
        <ul class="my-days" aria-label={said.value.days}>
          {past.map(day => (
            <li key={day.date}>
              <button
                type="button"
                aria-expanded={open.value === day.date}
                onClick={() => (open.value = open.value === day.date ? '' : day.date)}
              >
                <DateOf day={day} />
                <span class="mono">{timesOf(day)}</span>
                <span class="how">
                  {day.state !== 'none' && <DayMark mark={markOf(day)} />}
                  {day.kind === 'none' ? said.value.noPlan : wordsOf(day)}
                </span>
              </button>
              {open.value === day.date && <OwnDay day={day} asked={asked} />}
            </li>
          ))}
        </ul>
      )}
      {toCome.length > 0 && (
        <>
          <h2 id="my-schedule">{said.value.schedule}</h2>
          <ul class="my-schedule" aria-labelledby="my-schedule">
            {toCome.map(day => (
              <li key={day.date}>
                <DateOf day={day} />
                <span class="mono">{plannedOf(day)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A month that is over, and whether its person agrees. */
function Confirmation({ month, of, changed }: { month: string; of: Month; changed: () => void }) {
  const { busy, refused, run } = useDoing(inWords);
  const text = said.value;
  const { confirmed, digest } = of;
  const confirm = async () => {
    await run(() => post('/own-page/months/{month}/confirm', { month, digest }));
    changed();
  };
  return (
    <>
      {confirmed && (
        <p class={confirmed.is_current ? 'ok' : 'warn'}>
          {(confirmed.is_current ? text.confirmed : text.changed)(dayOf(confirmed.at))}
        </p>
      )}
      <ProblemNotice problem={refused.value} />
      {!confirmed?.is_current && (
        <>
          <p class="quiet">{text.confirmLead}</p>
          <p>
            <button type="button" class="act" disabled={busy} onClick={() => void confirm()}>
              {text.confirm}
            </button>
          </p>
        </>
      )}
    </>
  );
}

const DateOf = ({ day: { date } }: { day: ResultDay }) => (
  <b class="mono">
    {date.slice(5)} <small>{attendanceWords.value.weekdays[weekdayOf(date)]}</small>
  </b>
);

/** `08:00–17:00`; a free shift by its name. */
const plannedOf = ({ segments, shift }: ResultDay): string =>
  segments
    .map(({ planned_on: on, planned_off: off }) =>
      on === null || off === null ? (shift ?? '') : `${hourMinute(on * 1000)}–${hourMinute(off * 1000)}`,
    )
    .join(', ');

function summary({ sums: { days, counts, minutes }, closed }: Month): string {
  const text = said.value;
  const missing = counts.missing_in + counts.missing_out;
  return [
    text.month(days.worked, days.planned),
    text.hours(hours(minutes.worked)),
    counts.late > 0 && text.late(counts.late),
    counts.early > 0 && text.early(counts.early),
    missing > 0 && text.missing(missing),
    days.absent > 0 && text.absent(days.absent),
    closed !== null && text.closed,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** `08:01–17:03`; a dash where an end is missing. */
const timesOf = ({ segments }: ResultDay): string =>
  segments
    .filter(({ in: came, out }) => came || out)
    .map(({ in: came, out }) => [came, out].map(end => (end ? hourMinute(end.at * 1000) : '–')).join('–'))
    .join(', ');

function OwnDay({ day, asked }: { day: ResultDay; asked: () => void }) {
  const text = said.value;
  const receipt = useSignal<number | null>(null);
  // One that ends a segment and begins the next stands in both.
  const punches = day.punches.filter((one, index, all) => all.findIndex(of => of.punch_id === one.punch_id) === index);
  return (
    <section aria-label={dayName(day.date)}>
      <h3>{text.checkins}</h3>
      {punches.length === 0 && <p class="quiet">{text.none}</p>}
      <ul>
        {punches.map(({ punch_id: id, at, type, device, device_id }) => (
          <li key={id}>
            <button
              type="button"
              class="act small"
              aria-label={text.receipt(hourMinute(at * 1000))}
              aria-expanded={receipt.value === id}
              onClick={() => (receipt.value = receipt.value === id ? null : id)}
            >
              <span class="mono">{hourMinute(at * 1000)}</span>
            </button>{' '}
            {typeWords(type)} <span class="quiet">{device || device_id}</span>
            {receipt.value === id && <OwnReceipt checkIn={id} />}
          </li>
        ))}
      </ul>
      <AskCheckIn day={day.date} asked={asked} />
    </section>
  );
}

function OwnReceipt({ checkIn }: { checkIn: number }) {
  const { loaded, reload } = useLoaded('/own-page/receipts/{checkin}', { checkin: checkIn });
  const { data, problem } = loaded.value;
  return (
    <>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading rows={2} />}
      {data && <Receipt of={data} />}
    </>
  );
}
