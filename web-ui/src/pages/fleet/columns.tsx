import type { ComponentChildren } from 'preact';
import type { FleetRow } from '../../../../src/admin/fleet.ts';
import { clockOffMsMax } from '../../../../src/platform/fleet.ts';
import { updateReasons } from '../../../../src/words/updates.ts';
import { query } from '../../api.ts';
import { now } from '../../parts/now.ts';
import { ago, bytes, count, moment, span } from '../../parts/numbers.ts';
import { reasonIn } from '../../parts/reasons.ts';
import type { Column } from '../../parts/table.tsx';
import { words as updateWords } from '../system/update-words.ts';
import { say } from './words.ts';

/**
 * Columns of the page. Reports of boxes come from other machines: shown as text, whatever they
 * hold.
 */
export const columns = (): Column<FleetRow>[] => {
  const said = say.value;
  return [
    {
      key: 'box',
      title: said.box,
      cell: row => (
        <span>
          {row.name || row.box_id}
          {row.name !== '' && <small class="mono more-of-box">{row.box_id}</small>}
        </span>
      ),
    },
    {
      key: 'state',
      title: said.state,
      cell: ({ troubles }) =>
        troubles.length === 0 ? (
          <span class="state online">{said.well}</span>
        ) : (
          <span class="troubles">
            {troubles.map(one => (
              <span key={one} class="state refused">
                {said.troubles[one]}
              </span>
            ))}
          </span>
        ),
    },
    { key: 'heard', title: said.heard, cell: heardCell },
    { key: 'waiting', title: said.waiting, number: true, cell: waitingCell },
    { key: 'disk', title: said.disk, cell: diskCell },
    { key: 'clock', title: said.clock, cell: clockCell },
    { key: 'version', title: said.version, cell: row => <span class="mono">{row.version || '–'}</span> },
    { key: 'update', title: said.update, cell: updateCell },
    { key: 'devices', title: said.devices, cell: devicesCell },
    { key: 'show', title: said.here, cell: linksCell },
  ];
};

const lines = (first: ComponentChildren, ...notes: readonly (string | false)[]) => (
  <span>
    {first}
    {notes.filter(Boolean).map(note => (
      <small key={note} class="more-of-box">
        {note}
      </small>
    ))}
  </span>
);

function heardCell({ heard_at: at, reported_at: reportedAt }: FleetRow) {
  const said = say.value;
  if (at === null) return said.never;
  const time = (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {ago(at, now.value)}
    </time>
  );
  // The report stands beside; only a program that stopped reporting is heard later than that.
  const isOld = reportedAt !== null && at - reportedAt > 5 * 60_000;
  return lines(time, reportedAt === null && said.saysNothing, isOld && said.saidAt(ago(reportedAt, now.value)));
}

function waitingCell({ outbox }: FleetRow) {
  const said = say.value;
  if (!outbox) return '–';
  const { waiting, oldest_ms: oldest, grows, parked } = outbox;
  return lines(
    count(waiting),
    oldest !== null && waiting > 0 && said.oldest(span(oldest)),
    grows && said.grows,
    parked > 0 && said.parked(count(parked)),
  );
}

function diskCell({ disk }: FleetRow) {
  const said = say.value;
  if (!disk) return '–';
  const wrong = disk.state === 'ok' ? disk.low && said.diskLow : (said.diskStates[disk.state] ?? disk.state);
  return lines(said.free(bytes(disk.free_bytes)), wrong);
}

/** A second is the way of the report. */
const agreesMs = 2000;

function clockCell({ clock: { off_ms: off, synchronized } }: FleetRow) {
  const said = say.value;
  if (off === null) return '–';
  const size = Math.abs(off);
  const words = size < agreesMs ? said.agrees : off > 0 ? said.ahead(span(size)) : said.behind(span(size));
  const shown = size > clockOffMsMax ? <span class="bad">{words}</span> : words;
  return lines(shown, synchronized === false && said.notSynchronized);
}

function updateCell({ update }: FleetRow) {
  const said = say.value;
  if (!update) return '–';
  const { found, outcome, to, why: reason, code, params } = update;
  const outcomes: Readonly<Record<string, string>> = updateWords.value.outcomes;
  const last = outcome === '' ? said.noUpdate : `${to} ${outcomes[outcome] ?? outcome}`.trim();
  return lines(
    last,
    reason !== '' && reasonIn({ reason, code, params }, ...updateReasons),
    found > 0 && said.updateFound(found),
  );
}

function devicesCell({ devices, devices_here: here }: FleetRow) {
  const said = say.value;
  if (!devices) return count(here);
  const { known, online, refused } = devices;
  return lines(said.online(count(online), count(known)), refused > 0 && said.notLetIn(count(refused)));
}

/** The pages filtered by this box. */
function linksCell({ box_id: box }: FleetRow) {
  const said = say.value;
  return (
    <span class="links-of-box">
      <a href={`/attendance${query({ box })}`}>{said.itsAttendance}</a>{' '}
      <a href={`/devices${query({ box })}`}>{said.itsDevices}</a> <a href={`/logs${query({ box })}`}>{said.itsLogs}</a>
    </span>
  );
}
