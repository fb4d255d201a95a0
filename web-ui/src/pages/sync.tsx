import { useRef } from 'preact/hooks';
import type { SyncReport } from '../../../src/admin/ui/sync.ts';
import { status } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { nav } from '../nav.ts';
import { useEvery } from '../parts/every.ts';
import { Figures } from '../parts/figures.tsx';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { ago, count, moment, span } from '../parts/numbers.ts';
import { whySaid } from '../parts/reasons.ts';
import { useSteadyOrder } from '../parts/steady.ts';
import { Table } from '../parts/table.tsx';
import { may } from '../session.ts';
import { words } from '../words/index.ts';
import { Organization } from './sync/organization.tsx';
import { Parked } from './sync/parked.tsx';
import './sync/sync.css';
import { say } from './sync/words.ts';

const refreshMs = 5000;

/** Records that have not reached the cloud, with the reason and the time of the next try. */
export default function Sync() {
  const { loaded, reload } = useLoaded('/sync');
  useEvery(refreshMs, reload);
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const said = say.value;
  const { line, outbox } = status.value ?? data.status;
  const { services } = data;
  return (
    <>
      <p class="sentence">{sentence({ line, outbox })}</p>
      <ProblemNotice problem={problem} again={reload} />
      <Figures
        label={nav.value.sync}
        figures={[
          {
            ...{ key: 'waiting', icon: 'queue', label: said.waiting, value: count(outbox.waiting) },
            note: outbox.oldest_at === null ? said.nothingWaits : ago(outbox.oldest_at, now.value),
          },
          {
            ...{ key: 'parked', icon: 'rejected', label: words.value.today.parked, value: count(outbox.parked) },
            state: outbox.parked > 0 ? 'bad' : undefined,
          },
          { key: 'files', icon: 'files', label: said.files, value: count(services.files) },
        ]}
      />
      <div class="cols">
        <TheLine line={line} outbox={outbox} />
        <section aria-labelledby="services">
          <h2 id="services">{said.services}</h2>
          <dl class="facts">
            <dt>{said.files}</dt>
            <dd>{count(services.files)}</dd>
            <dt>{said.messages}</dt>
            <dd>{count(services.messages)}</dd>
            <dt>{said.servicesRefused}</dt>
            <dd class={services.refused > 0 ? 'bad' : undefined}>{count(services.refused)}</dd>
          </dl>
        </section>
      </div>
      {line.state !== 'none' && <Queue report={data} />}
      {(line.state !== 'none' || outbox.parked > 0) && <Parked stamp={outbox.parked} changed={reload} />}
      <Organization report={data.organization} changed={reload} />
    </>
  );
}

type Line = SyncReport['status']['line'];
type Outbox = SyncReport['status']['outbox'];

/** The state of the line in words, and that nothing is lost. */
function sentence({ line, outbox }: { line: Line; outbox: Outbox }): string {
  const said = say.value;
  const waiting = count(outbox.waiting);
  const parked = outbox.parked > 0 ? `${said.joint}${said.parked(outbox.parked)}` : '';
  if (line.state === 'none') return `${said.alone}${parked}`;
  if (line.state === 'standby') return `${said.standby}${parked}`;
  if (line.state === 'refused') return `${said.refused(waiting)}${parked}`;
  if (line.state === 'up') {
    if (outbox.waiting === 0) return parked === '' ? said.allThere : parked.trim();
    const { catch_up_s: left } = outbox;
    return `${left === null ? said.onTheWay(waiting) : said.onTheWayFor(waiting, span(left * 1000))}${parked}`;
  }
  const gap = span(line.since === null ? 0 : now.value - line.since);
  return `${outbox.waiting > 0 ? said.away(gap, waiting) : said.awayNothing(gap)}${parked}`;
}

function TheLine({ line, outbox }: { line: Line; outbox: Outbox }) {
  const said = say.value;
  // The rate covers the last ten seconds: a line that was just lost still has one.
  const moves = line.state === 'up';
  return (
    <section aria-labelledby="line">
      <h2 id="line">{said.line}</h2>
      <dl class="facts">
        <dt>{said.state}</dt>
        <dd>{said.states[line.state] ?? line.state}</dd>
        {line.since !== null && (
          <>
            <dt>{said.since}</dt>
            <dd>{moment(line.since)}</dd>
          </>
        )}
        {line.state !== 'up' && line.state !== 'none' && line.state !== 'standby' && line.why !== '' && (
          <>
            <dt>{said.why}</dt>
            <dd>{whySaid(line)}</dd>
          </>
        )}
        {line.next_try_at !== null && line.next_try_at > now.value && (
          <>
            <dt>{said.nextTry}</dt>
            <dd>{said.inSpan(span(line.next_try_at - now.value))}</dd>
          </>
        )}
        <dt>{said.waiting}</dt>
        <dd>{count(outbox.waiting)}</dd>
        {outbox.oldest_at !== null && (
          <>
            <dt>{said.oldest}</dt>
            <dd>{`${moment(outbox.oldest_at)} (${ago(outbox.oldest_at, now.value)})`}</dd>
          </>
        )}
        {outbox.waiting > 0 && (
          <>
            <dt>{said.rate}</dt>
            <dd>{said.perSecond(count(moves ? Math.round(outbox.per_second * 10) / 10 : 0))}</dd>
            <dt>{said.left}</dt>
            <dd>
              {!moves || outbox.catch_up_s === null ? said.standsStill : said.about(span(outbox.catch_up_s * 1000))}
            </dd>
          </>
        )}
      </dl>
      {may('admin') && (
        <p>
          <a href="/system/network#cloud-connection">{said.change}</a>
        </p>
      )}
    </section>
  );
}

function Queue({ report: { devices, devices_waiting } }: { report: SyncReport }) {
  const said = say.value;
  const section = useRef<HTMLElement>(null);
  // Somebody is about to press a button here.
  const held = () => section.current?.matches(':hover, :focus-within') ?? false;
  const rows = useSteadyOrder(devices, row => row.device_id, held);
  return (
    <section aria-labelledby="queue" ref={section}>
      <h2 id="queue">{said.queue}</h2>
      <Table
        caption={said.queue}
        rows={rows}
        rowKey={row => row.device_id}
        empty={said.nothingWaits}
        columns={[
          {
            key: 'device',
            title: said.device,
            cell: row => (
              <a href={`/devices/${encodeURIComponent(row.device_id)}`}>
                {row.name === '' ? row.device_id : `${row.name} (${row.device_id})`}
              </a>
            ),
          },
          { key: 'why', title: said.problem, cell: row => whySaid(row) || '–' },
          { key: 'count', title: said.count, number: true, cell: row => count(row.waiting) },
        ]}
      />
      {devices_waiting > devices.length && <p class="quiet">{said.queueMore(count(devices.length))}</p>}
    </section>
  );
}
