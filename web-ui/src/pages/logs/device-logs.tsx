import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, count, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { asked, FilterForm, filterOf } from './filter.tsx';
import { type LogRow, type Tail, topPixels, useTail } from './tail.ts';
import { logWords } from './words.ts';

/** The logs that devices sent, newest first; followed as long as the reader stays at the top. */
export function DeviceLogs({ tabs }: { tabs: ComponentChildren }) {
  const { query } = useLocation();
  const filter = filterOf(query);
  const follow = useSignal(filter.to === undefined);
  const { tail, back, release } = useTail(asked(filter), follow.value);
  const { rows, held, before, loading, problem, loaded } = tail.value;
  const said = logWords.value;
  const looksFor = Object.keys(filter).length > 0;
  return (
    <>
      <p class="sentence">{sentence(tail.value, looksFor)}</p>
      {tabs}
      <FilterForm />
      <p class="logs-state">
        <label class="check">
          <input
            type="checkbox"
            checked={follow}
            onChange={event => {
              follow.value = event.currentTarget.checked;
            }}
          />
          {said.follow}
        </label>
        <span class="quiet">{facts(tail.value)}</span>
      </p>
      {follow.value && <Paused held={held.length} release={release} />}
      <ProblemNotice problem={problem} />
      {!loaded && !problem ? (
        <Loading />
      ) : (
        <Table
          caption={said.caption}
          rows={rows}
          rowKey={row => row.seq}
          empty={looksFor ? (before === null ? said.noneFits : said.lookedBack) : said.noneTeach}
          columns={[
            { key: 'at', title: said.received, cell: row => <span class="mono">{moment(row.received_at)}</span> },
            {
              key: 'device',
              title: said.device,
              cell: row => <DeviceLink of={row} />,
            },
            { key: 'text', title: said.text, cell: row => <LogText row={row} /> },
          ]}
        />
      )}
      {before !== null && (
        <p>
          <button type="button" class="act" onClick={back} disabled={loading}>
            {said.back}
          </button>
        </p>
      )}
    </>
  );
}

const LogText = ({ row }: { row: LogRow }) => (
  <span class="log-text mono">
    {row.text}
    {row.truncated && <span class="warn"> [{logWords.value.cut}]</span>}
    {row.repaired && <span class="warn"> [{logWords.value.repaired}]</span>}
    {row.clamped && <span class="warn"> [{logWords.value.clamped}]</span>}
  </span>
);

/** While the reader is further down, what is new waits here. */
function Paused({ held, release }: { held: number; release: () => void }) {
  const down = useSignal(false);
  useEffect(() => {
    const look = () => {
      down.value = window.scrollY >= topPixels;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [down]);
  const said = logWords.value;
  if (held === 0 && !down.value) return null;
  return (
    <p class="logs-paused" role="status">
      {held > 0 ? said.paused(held) : said.pausedNone}{' '}
      <button type="button" class="act go" onClick={release}>
        {said.jump}
      </button>
    </p>
  );
}

function sentence({ rows, held, loaded }: Tail, looksFor: boolean): string {
  const said = logWords.value;
  const newest = held[0] ?? rows[0];
  if (newest) return said.newest(ago(newest.received_at, now.value), newest.device || newest.device_id);
  if (!loaded) return said.devices;
  return looksFor ? said.noneFits : said.none;
}

function facts({ rows, dropped }: Tail): string {
  const said = logWords.value;
  const cut = rows.filter(row => row.truncated).length;
  const repaired = rows.filter(row => row.repaired).length;
  const clamped = rows.filter(row => row.clamped).length;
  return [
    said.shown(count(rows.length)),
    ...(cut > 0 ? [said.cutCount(count(cut))] : []),
    ...(repaired > 0 ? [said.repairedCount(count(repaired))] : []),
    ...(clamped > 0 ? [said.clampedCount(count(clamped))] : []),
    ...(dropped > 0 ? [said.droppedCount(count(dropped))] : []),
  ].join(' · ');
}
