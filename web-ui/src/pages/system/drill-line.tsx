import type { DrillReport } from '../../../../src/admin/drill.ts';
import type { LineResultReport } from '../../../../src/admin/line-drill.ts';
import { lineCutMinutes } from '../../../../src/platform/drill.ts';
import { post } from '../../api.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Field, text } from '../../parts/field.tsx';
import { now } from '../../parts/now.ts';
import { clock, count, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import type { Acting } from './drill-card.tsx';
import { lineWords } from './drill-line-words.ts';
import { noticeOf, type SentUp, SentUpFact } from './drill-sheet.tsx';

type Line = DrillReport['line'];
type LineNow = NonNullable<Line['now']>;

export const lineSentence = ({ step, ends_at }: LineNow): string =>
  step === 'cut' ? lineWords.value.cut(clock(ends_at)) : lineWords.value.restored;

/** The drill of the line: begins it, shows how it stands, and ends it. */
export function LineDrill({ line, busy, act }: { line: Line } & Acting) {
  const said = lineWords.value;
  return (
    <section class="drill-lead" aria-labelledby="drill-line">
      <h2 id="drill-line">{said.title}</h2>
      {!line.has_cloud ? (
        <p class="quiet">{said.noCloud}</p>
      ) : line.now ? (
        <LineUnderWay now={line.now} busy={busy} act={act} />
      ) : (
        <>
          <p>{said.lead}</p>
          <form
            class="narrow"
            onSubmit={event => {
              event.preventDefault();
              const minutes = Number(text(new FormData(event.currentTarget), 'minutes'));
              act(() => post('/drill/line', { minutes }));
            }}
          >
            <Field
              label={said.minutes}
              name="minutes"
              type="number"
              min={1}
              max={lineCutMinutes.most}
              value={lineCutMinutes.usual}
              required
            />
            <p class="drill-acts">
              <button type="submit" class="act" disabled={busy}>
                {said.begin}
              </button>
            </p>
          </form>
        </>
      )}
    </section>
  );
}

function LineUnderWay({ now: line, busy, act }: { now: LineNow } & Acting) {
  const said = lineWords.value;
  const isCut = line.step === 'cut';
  const gone = Math.min(line.ends_at, now.value) - line.begun_at;
  return (
    <>
      <div class="drill-now">
        <p>{isCut ? said.cutMore : said.restoredMore}</p>
        <p>{said.waiting(count(line.waiting))}</p>
        {isCut && <progress max={line.ends_at - line.begun_at} value={Math.max(0, gone)} aria-label={said.progress} />}
      </div>
      {isCut && (
        <p class="drill-acts">
          <button type="button" class="act go" disabled={busy} onClick={() => act(() => post('/drill/line/end'))}>
            {said.end}
          </button>
        </p>
      )}
    </>
  );
}

/** Outcome of the drill, for the sheet. */
export function LineOutcome({ result, sent }: { result: LineResultReport; sent: SentUp }) {
  const said = lineWords.value;
  const { outcome, begun_at, restored_at, ended_at, waiting, devices, unlisted, id } = result;
  return (
    <>
      <h3>{said.title}</h3>
      <p class={noticeOf(outcome)}>{said.outcomes[outcome]}</p>
      <dl class="facts">
        <dt>{said.cutAt}</dt>
        <dd>{moment(begun_at)}</dd>
        <dt>{said.restoredAt}</dt>
        <dd>{moment(restored_at)}</dd>
        <dt>{said.endedAt}</dt>
        <dd>{moment(ended_at)}</dd>
        {waiting > 0 && (
          <>
            <dt>{said.stillWaiting}</dt>
            <dd>{count(waiting)}</dd>
          </>
        )}
        <SentUpFact id={id} sent={sent} />
        <dt>{said.id}</dt>
        <dd class="mono">{id}</dd>
      </dl>
      {devices.length > 0 && (
        <Table
          caption={said.caption}
          rows={devices}
          rowKey={row => row.device_id}
          columns={[
            { key: 'device', title: said.device, cell: row => <DeviceLink of={row} /> },
            { key: 'said', title: said.said, number: true, cell: row => count(row.said) },
            { key: 'stored', title: said.stored, number: true, cell: row => count(row.stored) },
            { key: 'confirmed', title: said.confirmed, number: true, cell: row => count(row.confirmed) },
          ]}
        />
      )}
      {unlisted > 0 && <p>{said.unlisted(count(unlisted))}</p>}
    </>
  );
}
