import type { ComponentChildren } from 'preact';
import { query } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { Figures } from '../../parts/figures.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { words } from '../../words/index.ts';
import { DayPicture } from './day-picture.tsx';
import { LatestRows } from './latest.tsx';
import { SilentDevices } from './silent-devices.tsx';
import { say } from './words.ts';

/** To find one site's check-ins among those of all costs more than the page of all sites. */
const refreshMs = 15_000;

/** One site: who came, and its devices. How a box below is, the page Fleet says. */
export function TodayOfSite({ box, choice }: { box: string; choice: ComponentChildren }) {
  const { loaded, reload } = useLoaded('/today', { box });
  useEvery(refreshMs, reload);
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const said = words.value.today;
  const total = data.checkins.reduce((sum, one) => sum + one, 0);
  const isHere = box === 'here';
  return (
    <>
      <p class="sentence">{say.value.atSite(data.people)}</p>
      {choice}
      <Figures
        label={say.value.figures}
        figures={[
          {
            ...{ key: 'people', icon: 'people', label: say.value.peopleToday, value: count(data.people) },
            ...{ note: said.records(total), href: `/attendance${query({ box })}` },
          },
          {
            ...{ key: 'devices', icon: 'devices', label: say.value.devicesOfSite },
            ...{ value: count(data.devices_of_box ?? 0), href: `/devices${query({ box })}` },
          },
        ]}
      />
      <DayPicture known={isHere ? (data.devices_of_box ?? 0) : 0} box={box} />
      <div class="cols">
        <section aria-labelledby="latest">
          <h2 id="latest">{said.latest}</h2>
          <LatestRows rows={data.latest} />
        </section>
        {isHere && (
          <section aria-labelledby="silent">
            <h2 id="silent">{said.silentDevices}</h2>
            <SilentDevices rows={data.silent} />
          </section>
        )}
      </div>
    </>
  );
}
