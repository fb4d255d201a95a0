import type { SyncReport } from '../../../../src/admin/ui/sync.ts';
import { post } from '../../api.ts';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, count, moment } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { Missing } from './missing.tsx';
import { say } from './words.ts';

type Report = SyncReport['organization'];
type Conflict = Report['conflicts'][number];
type Pair = Report['uncertain_matches']['rows'][number];

const writePath = '/attendance/refused-writes/{id}/{what}';

/**
 * Changes that the cloud, the authority of the organization, has not received yet, has refused, or
 * has overruled.
 */
export function Organization({ report, changed }: { report: Report; changed: () => void }) {
  const said = say.value;
  const { refused, run } = useDoing();
  const act: Act = (send, done) =>
    run(async () => {
      const { found } = await send();
      sayDone(found ? done : said.gone);
      changed();
    });
  const { authority, mirror, writes, conflicts, uncertain_matches: uncertain, missing } = report;
  const isIncomplete = mirror !== null && mirror.incomplete !== '' && mirror.why === mirror.incomplete;
  const nothing =
    writes.waiting === 0 &&
    writes.refused.length === 0 &&
    conflicts.length === 0 &&
    uncertain.total === 0 &&
    missing.total === 0;
  return (
    <section class="sync" aria-labelledby="organization">
      <h2 id="organization">{said.organization}</h2>
      <ProblemNotice problem={refused.value} />
      {authority === 'box' && nothing ? (
        <p class="quiet">{said.boxIsAuthority}</p>
      ) : (
        <>
          <dl class="facts">
            {mirror && (
              <>
                <dt>{said.mirror}</dt>
                <dd>
                  {isIncomplete ? said.incomplete : (said.mirrorStates[mirror.state] ?? mirror.state)}
                  {mirror.mirrored_at !== null && `${said.copiedJoint}${withAge(mirror.mirrored_at)}`}
                  {mirror.why !== '' && `: ${whySaid(mirror)}`}
                </dd>
                <dt>{said.copiedRecords}</dt>
                <dd>
                  {mirror.checkins_at === null ? said.copiedNever : said.copiedCheckIns(withAge(mirror.checkins_at))}
                  {mirror.access_at !== null && `${said.copiedJoint}${said.copiedAccess(withAge(mirror.access_at))}`}
                  {mirror.records_why !== '' && `: ${whySaid({ why: mirror.records_why, ...mirror.records_said })}`}
                </dd>
              </>
            )}
            <dt>{said.writesWaiting}</dt>
            <dd>{count(writes.waiting)}</dd>
          </dl>
          <RefusedWrites writes={writes.refused} act={act} />
          <Conflicts conflicts={conflicts} act={act} />
          {(mirror || missing.total > 0) && (
            <Missing
              missing={missing}
              changed={done => {
                sayDone(done);
                changed();
              }}
            />
          )}
          {mirror && <Uncertain pairs={uncertain} act={act} />}
        </>
      )}
    </section>
  );
}

const withAge = (at: number): string => `${moment(at)} (${ago(at, now.value)})`;

type Act = (send: () => Promise<{ readonly found: boolean }>, done: string) => Promise<boolean>;

function RefusedWrites({ writes, act }: { writes: Report['writes']['refused']; act: Act }) {
  const said = say.value;
  return (
    <>
      <h3 class="sync-part">{said.writesRefused}</h3>
      <Table
        caption={said.writesRefused}
        rows={writes}
        rowKey={row => row.id}
        empty={said.noWritesRefused}
        columns={[
          { key: 'who', title: said.who, cell: row => row.subject },
          { key: 'at', title: said.at, cell: row => <span class="mono">{moment(row.at)}</span> },
          { key: 'why', title: said.reason, cell: row => [row.code, row.reason].filter(Boolean).join(' ') },
          {
            key: 'act',
            title: may('staff') ? said.action : '',
            cell: row =>
              may('staff') && (
                <span class="sync-pair">
                  <button
                    type="button"
                    class="act"
                    aria-label={said.againWrite(row.subject)}
                    onClick={() => void act(() => post(writePath, { id: row.id, what: 'again' }), said.writePassedOn)}
                  >
                    {said.writeAgain}
                  </button>
                  <button
                    type="button"
                    class="act"
                    aria-label={said.dismissOf(row.subject)}
                    onClick={() => void act(() => post(writePath, { id: row.id, what: 'dismiss' }), said.dismissed)}
                  >
                    {said.dismiss}
                  </button>
                </span>
              ),
          },
        ]}
      />
    </>
  );
}

function Conflicts({ conflicts, act }: { conflicts: Report['conflicts']; act: Act }) {
  const said = say.value;
  return (
    <>
      <h3 class="sync-part">{said.conflicts}</h3>
      {conflicts.length > 0 && <p class="quiet">{said.conflictLead}</p>}
      <Table
        caption={said.conflicts}
        rows={conflicts}
        rowKey={row => row.id}
        empty={said.noConflicts}
        columns={[
          { key: 'who', title: said.who, cell: row => row.subject },
          { key: 'at', title: said.at, cell: row => <span class="mono">{moment(row.at)}</span> },
          { key: 'cloud', title: said.cloudHad, cell: row => sideOf(row.cloud) },
          { key: 'box', title: said.boxHad, cell: row => sideOf(row.box) },
          dismissColumn(
            (row: Conflict) => row.subject,
            ({ id }) => act(() => post('/attendance/conflicts/{id}/dismiss', { id }), said.dismissed),
          ),
        ]}
      />
    </>
  );
}

/** A record of the site and one of the cloud that may be the same. */
function Uncertain({ pairs, act }: { pairs: Report['uncertain_matches']; act: Act }) {
  const said = say.value;
  const { total, rows } = pairs;
  return (
    <>
      <h3 class="sync-part">{said.uncertain}</h3>
      {total > 0 && <p class="quiet">{said.uncertainLead}</p>}
      {total > rows.length && <p class="quiet">{said.uncertainMore(count(rows.length), count(total))}</p>}
      <Table
        caption={said.uncertain}
        rows={rows}
        rowKey={row => row.id}
        empty={said.noUncertain}
        columns={[
          { key: 'who', title: said.who, cell: row => row.name || row.ext_id || said.stranger },
          { key: 'kind', title: said.kind, cell: row => (row.kind === 'checkin' ? said.isCheckIn : said.isAccess) },
          { key: 'box', title: said.siteReported, cell: row => traceOf(row.site) },
          { key: 'cloud', title: said.cloudListed, cell: row => traceOf(row.cloud) },
          dismissColumn(
            (row: Pair) => row.name || row.ext_id,
            ({ id }) => act(() => post('/attendance/uncertain-matches/{id}/dismiss', { id }), said.dismissed),
          ),
        ]}
      />
    </>
  );
}

/** A button for staff that removes a row from its list. */
const dismissColumn = <Row,>(nameOf: (row: Row) => string, dismiss: (row: Row) => Promise<unknown>): Column<Row> => ({
  key: 'act',
  title: may('staff') ? say.value.action : '',
  cell: row =>
    may('staff') && (
      <button type="button" class="act" aria-label={say.value.dismissOf(nameOf(row))} onClick={() => void dismiss(row)}>
        {say.value.dismiss}
      </button>
    ),
});

const traceOf = ({ id, time, place, check_type: type }: Pair['site']): string =>
  `${moment(time * 1000)}, ${place}, ${type}, #${id}`;

const sideOf = (side: Readonly<Record<string, unknown>> | null): string =>
  side === null
    ? say.value.removed
    : Object.entries(side)
        .filter(([, value]) => value !== '' && value !== null && value !== undefined)
        .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
        .join(', ');
