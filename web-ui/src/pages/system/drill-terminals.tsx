import type { DrillReport } from '../../../../src/admin/drill.ts';
import type { TerminalPunchReport, TerminalsResultReport } from '../../../../src/admin/terminal-drill.ts';
import { isPunchDone } from '../../../../src/platform/drill.ts';
import { hopsInWords, punchWords } from '../../../../src/platform/punch-lines.ts';
import { post } from '../../api.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { clock, count, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { language } from '../../words/index.ts';
import type { Acting } from './drill-card.tsx';
import { noticeOf, type SentUp, SentUpFact } from './drill-sheet.tsx';
import { terminalWords } from './drill-terminals-words.ts';

type Terminals = DrillReport['terminals'];
type TerminalsNow = NonNullable<Terminals['now']>;

export const terminalsSentence = ({ done, known }: TerminalsNow): string =>
  terminalWords.value.doneOf(count(done), count(known));

/** The drill of the terminals: begins it, ticks off what arrives, and ends it. */
export function TerminalsDrill({ terminals: { now }, busy, act }: { terminals: Terminals } & Acting) {
  const said = terminalWords.value;
  return (
    <section class="drill-lead" aria-labelledby="drill-terminals">
      <h2 id="drill-terminals">{said.title}</h2>
      {now ? (
        <TerminalsUnderWay now={now} busy={busy} act={act} />
      ) : (
        <>
          <p>{said.lead}</p>
          <p class="drill-acts">
            <button type="button" class="act" disabled={busy} onClick={() => act(() => post('/drill/terminals'))}>
              {said.begin}
            </button>
          </p>
        </>
      )}
    </section>
  );
}

function TerminalsUnderWay({
  now: { known, done, punched, ends_at, latest, terminals },
  busy,
  act,
}: { now: TerminalsNow } & Acting) {
  const said = terminalWords.value;
  const [last] = latest;
  return (
    <>
      <div class="drill-now">
        <p>{said.punch(clock(ends_at))}</p>
        <progress max={known} value={done} aria-label={said.progress} />
        {punched > 0 && <p>{said.punched(count(punched))}</p>}
        <div role="status">
          {last && (
            <p>
              <b>{last.device || last.device_id}</b>: {stateOf(last)}
            </p>
          )}
        </div>
      </div>
      <p class="drill-acts">
        <button type="button" class="act go" disabled={busy} onClick={() => act(() => post('/drill/terminals/end'))}>
          {said.end}
        </button>
      </p>
      <Punches rows={terminals} known={known} />
    </>
  );
}

const stateOf = ({ state, why }: TerminalPunchReport): string =>
  why === '' ? punchWords[language.value].states[state] : `${punchWords[language.value].states[state]}: ${why}`;

/** Each terminal with the times of its hops; what is wrong or missing first. */
function Punches({ rows, known }: { rows: readonly TerminalPunchReport[]; known: number }) {
  const said = terminalWords.value;
  if (rows.length === 0) return null;
  return (
    <>
      <Table
        caption={said.caption}
        rows={rows}
        rowKey={row => row.device_id}
        columns={[
          { key: 'device', title: said.device, cell: row => <DeviceLink of={row} /> },
          {
            key: 'state',
            title: said.state,
            cell: row => (
              <span>
                {isPunchDone(row.state) && <span aria-hidden="true">✓ </span>}
                {stateOf(row)}
              </span>
            ),
          },
          {
            key: 'punched',
            title: said.punchedAt,
            cell: row => (row.punched_at === null ? '–' : moment(row.punched_at * 1000)),
          },
          {
            key: 'received',
            title: said.receivedAt,
            cell: row => (row.received_at === null ? '–' : moment(row.received_at)),
          },
          { key: 'hops', title: said.hops, cell: row => hopsInWords(language.value, row, count).join(', ') || '–' },
        ]}
      />
      {known > rows.length && <p>{said.unlisted(count(known - rows.length))}</p>}
    </>
  );
}

/** Outcome of the drill, for the sheet. */
export function TerminalsOutcome({ result, sent }: { result: TerminalsResultReport; sent: SentUp }) {
  const said = terminalWords.value;
  const { outcome, known, done, begun_at, ended_at, has_cloud, terminals, id } = result;
  return (
    <>
      <h3>{said.title}</h3>
      <p class={noticeOf(outcome)}>{said.outcomes[outcome](count(done), count(known))}</p>
      {!has_cloud && <p>{said.noCloud}</p>}
      <dl class="facts">
        <dt>{said.begunAt}</dt>
        <dd>{moment(begun_at)}</dd>
        <dt>{said.endedAt}</dt>
        <dd>{moment(ended_at)}</dd>
        <SentUpFact id={id} sent={sent} />
        <dt>{said.id}</dt>
        <dd class="mono">{id}</dd>
      </dl>
      <Punches rows={terminals} known={known} />
    </>
  );
}
