import { useSignal } from '@preact/signals';
import type { CalendarReport } from '../../../../src/admin/ui/schedules.ts';
import { weekdayOf } from '../../../../src/runtime/calendar-date.ts';
import { useLoaded } from '../../loaded.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { may } from '../../session.ts';
import { isMonth, monthName } from '../attendance/dates.ts';
import { MonthBar } from '../attendance/month-bar.tsx';
import { DayDialog } from './day-dialog.tsx';
import { TargetLink } from './target-link.tsx';
import { Views } from './views.tsx';
import { said, whatWords } from './words.ts';

type Day = CalendarReport['days'][number];

/** A month: the national holidays and make-up workdays, and what the site says of its days. */
export function Calendar() {
  const { values, set } = useInUrl();
  const asked = isMonth(values.month) ? values.month : undefined;
  const { loaded, reload } = useLoaded('/schedules/calendar', { month: asked });
  const opened = useSignal<string | null>(null);
  const { data, problem } = loaded.value;
  const text = said.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const own = data.days.filter(day => day.own.length > 0).length;
  const chosen = data.days.find(({ date }) => date === opened.value);
  return (
    <>
      <p class="sentence">{text.calendarSentence(monthName(data.month), own)}</p>
      <Views view="calendar" />
      <div class="bar">
        <MonthBar month={data.month} go={month => set({ month })} />
      </div>
      {!data.days[0]?.published && <p class="notice">{text.unpublished(data.month.slice(0, 4))}</p>}
      {data.cut && <p class="notice">{text.cutPeople}</p>}
      <ol class="calendar" aria-label={text.calendarOf(monthName(data.month))}>
        {data.days.map((day, index) => (
          <li
            key={day.date}
            class={classOf(day)}
            style={index === 0 ? { gridColumnStart: weekdayOf(day.date) } : undefined}
          >
            <DayCell day={day} open={() => (opened.value = day.date)} />
          </li>
        ))}
      </ol>
      <p class="quiet">{text.calendarLegend}</p>
      {chosen && <DayDialog day={chosen} close={() => (opened.value = null)} changed={reload} />}
    </>
  );
}

function DayCell({ day, open }: { day: Day; open: () => void }) {
  const text = said.value;
  const number = Number(day.date.slice(8));
  const weekday = text.weekdays[weekdayOf(day.date) - 1];
  const head = (
    <>
      <b>{number}</b> <small>{weekday}</small>
    </>
  );
  return (
    <>
      {may('staff') ? (
        <button type="button" class="day" aria-label={`${number} ${weekday}: ${text.openDay(day.date)}`} onClick={open}>
          {head}
        </button>
      ) : (
        <span class="day">{head}</span>
      )}
      {day.holiday !== '' && <span>{day.holiday}</span>}
      {day.holiday !== '' && !day.break && <span class="quiet">{text.nationalWorkday}</span>}
      {day.own.map(one => (
        <span key={one.id} class="own">
          {one.target.kind !== 'site' && (
            <>
              <TargetLink target={one.target} name={one.name} />
              {text.colon}
            </>
          )}
          {whatWords(one.what)}
          {one.reason !== '' && <span class="quiet"> {one.reason}</span>}
        </span>
      ))}
    </>
  );
}

/** A day off has another ground; the words say which kind it is. */
function classOf({ break: isBreak, own }: Day): string | undefined {
  const site = own.find(({ target }) => target.kind === 'site');
  const isOff = site ? site.what.kind === 'rest' || site.what.kind === 'legal_holiday' : isBreak;
  return isOff ? 'off' : undefined;
}
