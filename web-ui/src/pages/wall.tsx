import { useEffect } from 'preact/hooks';
import type { TodayReport } from '../../../src/admin/ui/today.ts';
import { useLoaded } from '../loaded.ts';
import { useEvery } from '../parts/every.ts';
import { useFresh } from '../parts/fresh.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { clock } from '../parts/numbers.ts';
import { StandingList, standingRows, standingSentence } from '../parts/standing.tsx';
import { cloudWord } from '../words/punches.ts';
import { say } from './today/words.ts';
import { wallWords } from './wall/words.ts';
import './wall.css';

const latestShown = 5;

/**
 * For a tablet at the guard's desk, read from three metres: the time, who came last, what is not
 * well. It has nothing to press, needs the role viewer, and goes on by itself when the box was away.
 */
export default function Wall() {
  const { loaded, reload } = useLoaded('/today');
  useEvery(30_000, reload);
  useFresh(reload, { checkins: true });
  useEffect(keepAwake, []);
  const { data, problem } = loaded.value;
  const said = wallWords.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const standing = standingRows() ?? data.status.standing ?? [];
  return (
    <div class="wall">
      <Time />
      <section aria-labelledby="wall-latest">
        <h2 id="wall-latest">{said.latest}</h2>
        <ol class="came">
          {data.latest.slice(0, latestShown).map(row => (
            <Came key={row.id} row={row} />
          ))}
        </ol>
        {data.latest.length === 0 && <p class="quiet">{said.nobodyYet}</p>}
      </section>
      <section aria-labelledby="wall-devices">
        <h2 id="wall-devices">{said.notWell}</h2>
        {standing.length === 0 && <p class="ok">{standingSentence(standing)}</p>}
        <StandingList rows={standing} isWall />
      </section>
    </div>
  );
}

/** Hours and minutes of the site, the heading of the page. */
const Time = () => <h1 class="clock">{clock(now.value).slice(0, 5)}</h1>;

function Came({ row }: { row: TodayReport['latest'][number] }) {
  return (
    <li>
      <span class="at">{clock(row.at * 1000)}</span>
      <b>{row.name || row.ext_id || say.value.unknownPerson(row.said)}</b>
      <span class="quiet">{row.device || row.device_id || cloudWord()}</span>
    </li>
  );
}

/** A screen that is looked at does not sleep, where the browser allows that. */
function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let left = false;
  const ask = () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    navigator.wakeLock.request('screen').then(
      given => {
        lock = given;
        if (left) void given.release();
      },
      () => {}, // the browser may refuse it, such as on a low battery
    );
  };
  ask();
  document.addEventListener('visibilitychange', ask);
  return () => {
    left = true;
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
  };
}
