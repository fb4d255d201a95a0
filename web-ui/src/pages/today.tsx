import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback } from 'preact/hooks';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { status } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { useEvery } from '../parts/every.ts';
import { useFresh } from '../parts/fresh.ts';
import { useInUrl } from '../parts/in-url.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { bytes, count, moment } from '../parts/numbers.ts';
import { SiteChoice } from '../parts/site-choice.tsx';
import { StandingList, standingSentence } from '../parts/standing.tsx';
import { hasBoxes, may } from '../session.ts';
import { words } from '../words/index.ts';
import { BackupState } from './today/backup-state.tsx';
import { type DayCounts, DayPicture } from './today/day-picture.tsx';
import { TodayFigures } from './today/figures.tsx';
import { Latest } from './today/latest.tsx';
import { NotLetIn } from './today/not-let-in.tsx';
import { TodayOfSite } from './today/of-site.tsx';
import { RefusedCalls } from './today/refused-calls.tsx';
import { SilentDevices } from './today/silent-devices.tsx';

/** For everybody: is the site working? Where there are boxes below, also who is at which site. */
export default function Today() {
  const { values, set } = useInUrl();
  const { box } = values;
  const choice = hasBoxes() && (
    <div class="bar">
      <SiteChoice value={box ?? ''} choose={chosen => set({ box: chosen })} />
    </div>
  );
  return box ? <TodayOfSite key={box} box={box} choice={choice} /> : <TodayOfAll choice={choice} />;
}

function TodayOfAll({ choice }: { choice: ComponentChildren }) {
  const { loaded, reload } = useLoaded('/today');
  const drawn = useSignal<DayCounts | null>(null);
  const counted = useCallback((today: DayCounts | null) => (drawn.value = today), [drawn]);
  useEvery(30_000, reload);
  useFresh(reload, { checkins: true });
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const said = words.value.today;
  const { devices } = status.value ?? data.status;
  // Of the same answer as the tables below, with which it changes.
  const standing = data.status.standing ?? [];
  const heldBack = devices.held_back;
  return (
    <>
      <p class="sentence">{standingSentence(standing)}</p>
      {choice}
      <StandingList rows={standing} />
      <TodayFigures report={data} drawn={drawn.value} />
      <DayPicture known={devices.known} counted={counted} />
      {data.status.devices.known === 0 && may('admin') && (
        <p>
          <a href={pagePaths.welcome}>{said.firstSteps}</a>
        </p>
      )}
      {data.new_devices.map(({ product_id, refused }) => (
        <p class="notice" key={product_id}>
          <a href="/devices">{said.newDevicesRefused(product_id, refused)}</a>
        </p>
      ))}
      {heldBack > 0 && <p class="notice">{said.heldBack(count(heldBack))}</p>}
      <div class="cols">
        <section aria-labelledby="latest">
          <h2 id="latest">{said.latest}</h2>
          <Latest first={data.latest} />
        </section>
        <section aria-labelledby="silent">
          <h2 id="silent">{said.silentDevices}</h2>
          <SilentDevices rows={data.silent} />
          {data.status.devices.states.silent > data.silent.length && (
            <p>
              <a href="/devices?state=silent">
                {said.moreSilent(data.status.devices.states.silent - data.silent.length)}
              </a>
            </p>
          )}
          <NotLetIn refused={data.refused} count={data.status.devices.refused} />
          <RefusedCalls calls={data.refused_calls} />
        </section>
      </div>
      <dl class="facts">
        {data.status.outbox.oldest_at !== null && (
          <>
            <dt>{said.oldest}</dt>
            <dd>{moment(data.status.outbox.oldest_at)}</dd>
          </>
        )}
        {data.status.outbox.parked > 0 && (
          <>
            <dt>{said.parked}</dt>
            <dd>{count(data.status.outbox.parked)}</dd>
          </>
        )}
        {data.status.backup !== null && (
          <>
            <dt>{said.backup}</dt>
            <dd>
              <BackupState backup={data.status.backup} />
            </dd>
          </>
        )}
        <dt>{said.disk}</dt>
        <dd>{said.free(bytes(data.status.disk.free_bytes))}</dd>
      </dl>
    </>
  );
}
