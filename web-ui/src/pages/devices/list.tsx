import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { DeviceCounts, DeviceRow } from '../../../../src/admin/ui/device-rows.ts';
import { deviceStates } from '../../../../src/platform/device-state.ts';
import { pagePaths } from '../../../../src/platform/page-paths.ts';
import { query } from '../../api.ts';
import { useLoaded, usePages } from '../../loaded.ts';
import { nav } from '../../nav.ts';
import { Empty } from '../../parts/empty.tsx';
import { useEvery } from '../../parts/every.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { Figures } from '../../parts/figures.tsx';
import { Filters } from '../../parts/filters.tsx';
import { useFresh } from '../../parts/fresh.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, count, moment } from '../../parts/numbers.ts';
import { type Selection, useSelection } from '../../parts/selection.tsx';
import { SiteChoice } from '../../parts/site-choice.tsx';
import { More, type Sorting, State, Table } from '../../parts/table.tsx';
import { clockNote } from '../../words/clocks.ts';
import { words } from '../../words/index.ts';
import { Boxes, useBoxes } from './boxes.tsx';
import { DaySpark, useHoursToday } from './day-spark.tsx';
import { ManyDevices } from './many.tsx';
import { useWaitingForPeople, WaitingForPeople } from './people-data.tsx';
import { RefusedDevices, useRefusedDevices } from './refused-devices.tsx';
import { say } from './words.ts';
import { WrongKeys } from './wrong-keys.tsx';

const pageRows = 50;
const refreshMs = 5000;
const typingMs = 250;

/** The devices, their state, and those that are refused. */
export function DeviceList() {
  const filter = useFilter();
  const { search, state, product, box, refused, sort } = filter.values;
  const counts = useLoaded('/device-counts');
  const refusedDevices = useRefusedDevices(refused);
  const waiting = useWaitingForPeople();
  const boxes = useBoxes(box);
  const list = usePages('/device-list', { search, state, product, box, sort, limit: pageRows });
  const { total = 0, as_of: asOf = 0 } = list.first.value ?? {};
  const selection = useSelection(JSON.stringify([search, state, product, box]), total);
  const refresh = useCallback(() => {
    counts.reload();
    refusedDevices.reload();
    waiting.reload();
    // Somebody who reads a later page is not sent back to the first.
    if (boxes.isFirstPage()) boxes.reload();
    if (list.rows.peek().length <= pageRows) list.reload();
  }, [counts.reload, refusedDevices.reload, waiting.reload, boxes.isFirstPage, boxes.reload, list.reload, list.rows]);
  useEvery(refreshMs, refresh);
  useFresh(refresh);

  const hoursOf = useHoursToday();
  const { data, problem } = counts.loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={counts.reload} /> : <Loading />;
  const filtered = search !== '' || state !== '' || product !== '' || box !== '';
  return (
    <>
      <p class="sentence">{sentence(data)}</p>
      {data.known > 0 && <DeviceFigures counts={data} />}
      <WrongKeys products={data.products} changed={refresh} />
      <RefusedDevices from={refusedDevices} about={refused} changed={refresh} />
      <WaitingForPeople from={waiting} changed={refresh} />
      <Boxes from={boxes} changed={refresh} />
      {data.known === 0 && (
        <Empty
          name="devices"
          action={
            <a class="act go" href={pagePaths.commission}>
              {nav.value.commission}
            </a>
          }
        >
          {say.value.begin}
        </Empty>
      )}
      {data.known > 0 && (
        <section aria-labelledby="device-list">
          <h2 id="device-list">{say.value.list}</h2>
          <Filter filter={filter} counts={data} />
          <ProblemNotice problem={list.state.value.problem} again={list.reload} />
          {list.state.value.loading && list.rows.value.length === 0 ? (
            <Loading />
          ) : (
            <>
              <ManyDevices
                selection={selection}
                total={total}
                matching={{ search, state, product, box, asOf }}
                changed={refresh}
              />
              <Rows
                rows={list.rows.value}
                hoursOf={hoursOf}
                empty={filtered ? words.value.list.noneFound : words.value.list.none}
                total={total}
                selection={selection}
                sorting={{ by: sort || 'id', set: by => filter.change({ sort: by === 'id' ? '' : by }) }}
              />
            </>
          )}
          <More state={list.state.value} more={list.more} />
        </section>
      )}
    </>
  );
}

function sentence({ known, states, refused }: DeviceCounts): string {
  const said = say.value;
  const turnedAway = refused > 0 ? `${said.joint}${said.refusedCount(refused)}` : '';
  if (known === 0) return `${said.none}${turnedAway}`;
  const first =
    states.silent > 0
      ? said.silent(states.silent, count(known))
      : states.online === known
        ? said.allOnline(count(known))
        : said.noneSilent(count(states.online), count(known));
  return `${first}${turnedAway}`;
}

/** The search is kept in the address, so that the link can be sent. */
function useFilter() {
  const { query: asked, route } = useLocation();
  const values = {
    search: asked.search ?? '',
    state: asked.state ?? '',
    product: asked.product ?? '',
    box: asked.box ?? '',
    refused: asked.refused ?? '',
    sort: asked.sort ?? '',
  };
  const change = (part: Partial<typeof values>) => route(`/devices${query({ ...values, ...part })}`, true);
  return { values, change };
}

function Filter({ filter, counts }: { filter: ReturnType<typeof useFilter>; counts: DeviceCounts }) {
  const said = say.value;
  const { values, change } = filter;
  const typed = useSignal(values.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const stateNames = words.value.state;
  return (
    <form
      class="bar"
      onSubmit={event => {
        event.preventDefault();
        clearTimeout(timer.current);
        change({ search: typed.value });
      }}
    >
      <Field
        label={said.search}
        type="search"
        value={typed.value}
        onInput={event => {
          typed.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => change({ search: typed.value }), typingMs);
        }}
      />
      <Filters inUse={[values.state, values.box, values.product].filter(Boolean).length}>
        <Choice
          label={said.state}
          value={values.state}
          onChange={event => change({ state: event.currentTarget.value })}
        >
          <option value="">{`${words.value.list.all} (${count(counts.known)})`}</option>
          {deviceStates.map(state => (
            <option key={state} value={state}>{`${stateNames[state]} (${count(counts.states[state])})`}</option>
          ))}
        </Choice>
        <SiteChoice value={values.box} choose={box => change({ box })} />
        <Choice
          label={said.product}
          value={values.product}
          onChange={event => change({ product: event.currentTarget.value })}
        >
          <option value="">{words.value.list.all}</option>
          {counts.products.map(one => (
            <option key={one.product_id} value={one.product_id}>
              {`${one.name || one.product_id} (${count(one.devices)})`}
            </option>
          ))}
        </Choice>
      </Filters>
    </form>
  );
}

/** Devices in each state that somebody has to know of, as large figures that filter the list. */
function DeviceFigures({ counts: { known, states, refused } }: { counts: DeviceCounts }) {
  const said = say.value;
  const names = words.value.state;
  const figures = (['online', 'silent', 'never'] as const).map(state => ({
    ...{ key: state, icon: 'devices' as const, label: names[state], value: count(states[state]) },
    ...{
      href: `/devices?state=${state}`,
      state: state === 'silent' && states.silent > 0 ? ('warn' as const) : undefined,
    },
    ...(state === 'online' ? { of: `/ ${count(known)}` } : {}),
  }));
  const turnedAway = { key: 'refused', icon: 'rejected' as const, label: names.refused, value: count(refused) };
  return (
    <Figures
      label={said.list}
      figures={[...figures, { ...turnedAway, state: refused > 0 ? ('bad' as const) : undefined }]}
    />
  );
}

interface RowsOf {
  readonly rows: readonly DeviceRow[];
  readonly hoursOf: (deviceId: string) => readonly (number | null)[] | null;
  readonly empty: string;
  readonly total: number;
  readonly selection: Selection;
  readonly sorting: Sorting;
}

function Rows({ rows, hoursOf, empty, total, selection, sorting }: RowsOf) {
  const said = say.value;
  return (
    <Table
      caption={said.list}
      rows={rows}
      rowKey={row => row.device_id}
      empty={empty}
      total={total}
      sorting={sorting}
      choosing={{ selection, id: row => row.device_id, name: row => row.name || row.device_id }}
      columns={[
        {
          key: 'name',
          title: said.device,
          sort: 'name',
          phone: 'name',
          cell: row => (
            <span>
              <a href={`/devices/${encodeURIComponent(row.device_id)}`}>{row.name || row.device_id}</a>
              {row.name !== '' && <span class="mono device-id">{row.device_id}</span>}
            </span>
          ),
        },
        { key: 'product', title: said.product, sort: 'product', cell: row => row.product || row.product_id },
        {
          key: 'state',
          title: said.state,
          sort: 'state',
          phone: 'state',
          cell: row => (
            <span>
              <State state={row.state} />
              {row.notes.length > 0 && (
                <small class="device-id">
                  {said.noted} {row.notes.map(kind => said.eventKinds[kind] ?? kind).join(', ')}
                </small>
              )}
              {row.people_data === 'waits' && <small class="device-id">{said.peopleData.waits}</small>}
            </span>
          ),
        },
        {
          key: 'seen',
          title: said.lastRecord,
          sort: 'seen',
          phone: 'below',
          cell: row => (
            <span>
              {row.name !== '' && (
                <span class="phone-only">
                  <span class="mono">{row.device_id}</span> ·{' '}
                </span>
              )}
              {row.last_seen_at === null ? (
                said.noRecord
              ) : (
                <time dateTime={new Date(row.last_seen_at).toISOString()} title={moment(row.last_seen_at)}>
                  {ago(row.last_seen_at, now.value)}
                </time>
              )}
              {row.clock.wrong && <small class="device-id warn">{clockNote(row.clock)}</small>}
            </span>
          ),
        },
        {
          key: 'day',
          title: said.itsDay,
          cell: row => {
            const hours = hoursOf(row.device_id);
            return hours === null ? '' : <DaySpark hours={hours} />;
          },
        },
        { key: 'waiting', title: said.waiting, number: true, sort: 'waiting', cell: row => count(row.waiting) },
        { key: 'today', title: said.today, number: true, sort: 'today', cell: row => count(row.today) },
      ]}
    />
  );
}
