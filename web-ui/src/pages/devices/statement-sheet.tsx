import type { ComponentChildren } from 'preact';
import type { BoxStatementLine, DeviceStatementLine } from '../../../../src/admin/statements.ts';
import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { count, moment } from '../../parts/numbers.ts';
import { usePagePart } from '../../parts/page-part.ts';
import { Hash } from '../../parts/receipt.tsx';
import { clockWords, lateNote } from '../../words/clocks.ts';
import { statementWords } from '../../words/statements.ts';
import type { DeviceStatement } from './statements.tsx';
import './statements.css';

/** The statement of one device for one day: for the screen and for paper. */
export function StatementSheet({ id, day }: { id: string; day: string }) {
  const { loaded, reload } = useLoaded('/statements/{day}', { day, device_id: id });
  const { data, problem } = loaded.value;
  usePagePart(data?.device_name || id);
  const text = statementWords.value;
  const gone = problem?.status === 404;
  const line = data?.devices[0];
  return (
    <>
      <p class="sentence">{gone ? text.noneOfDay : text.sheet(data?.device_name || id, day)}</p>
      <p class="back">
        <a href={`/devices/${encodeURIComponent(id)}/statement?month=${day.slice(0, 7)}`}>{text.backToMonth}</a>
      </p>
      {!gone && <ProblemNotice problem={problem} again={reload} />}
      {!data && !problem && <Loading />}
      {data && line && <Sheet line={line} box={data.box} />}
    </>
  );
}

function Sheet({ line, box }: { line: DeviceStatementLine; box: BoxStatementLine }) {
  const text = statementWords.value;
  const { statement: of, hash } = line;
  return (
    <>
      <p class="bar">
        <button type="button" class="act" onClick={() => print()}>
          {text.print}
        </button>
      </p>
      <p class="quiet">
        <span class="mono">{of.device}</span> · {hash !== null && `${text.number} ${of.no} · `}
        {text.zone(box.statement.timezone)}
      </p>
      {hash === null && <p class="notice">{text.open}</p>}
      <Figures of={of} />
      <dl class="facts">
        <Carried of={of} />
        <Said of={of} />
        <Times of={of} />
      </dl>
      {of.repeated && (
        <>
          <h2>{text.repeats}</h2>
          <ul>
            {of.repeated.map(([seq = 0, first = 0]) => (
              <li key={`${seq} ${first}`}>{text.repeated(seq, first)}</li>
            ))}
          </ul>
        </>
      )}
      {hash !== null && <Proof line={line} made={box.statement.made_at} />}
    </>
  );
}

/** Said, stored, confirmed: the way of the data with a figure at each station. */
function Figures({ of }: { of: DeviceStatement }) {
  const text = statementWords.value;
  return (
    <ol class="statement-figures">
      <li>
        <b>{count(of.said)}</b> {text.saidByDevice}
      </li>
      <li class={of.box === of.said ? undefined : 'differs'}>
        <b>{count(of.box)}</b> {text.onDisk}
      </li>
      <li class={of.cloud === null ? 'none' : of.parked > 0 ? 'differs' : of.waiting > 0 ? 'waits' : undefined}>
        <b>{of.cloud === null ? '–' : count(of.cloud)}</b> {of.cloud === null ? text.noCloud : text.atCloud}
      </li>
    </ol>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

function Carried({ of }: { of: DeviceStatement }) {
  const text = statementWords.value;
  if (of.cloud === null) return null;
  return (
    <>
      <Fact name={text.brought}>{text.waiting(count(of.brought))}</Fact>
      <Fact name={text.parked}>{count(of.parked)}</Fact>
      <Fact name={text.carried}>{text.waiting(count(of.waiting))}</Fact>
      {of.lost !== undefined && <Fact name={text.lost}>{count(of.lost)}</Fact>}
    </>
  );
}

function Said({ of }: { of: DeviceStatement }) {
  const text = statementWords.value;
  const { numbers } = of;
  return (
    <>
      {of.said > 0 && <Fact name={text.saidBy}>{text.saidBys[of.said_by]}</Fact>}
      {numbers && (
        <>
          <Fact name={text.numbers}>
            {text.numbersFrom(numbers.from, numbers.to)}
            {numbers.restarted && <p class="warn">{text.restarted}</p>}
          </Fact>
          <Fact name={text.gaps}>
            <span class={numbers.gaps.length > 0 ? 'bad' : undefined}>{gapsOf(numbers.gaps)}</span>
          </Fact>
          {of.missing > 0 && <Fact name={text.missing}>{count(of.missing)}</Fact>}
          {numbers.earlier > 0 && <Fact name={text.earlierNumbers}>{count(numbers.earlier)}</Fact>}
        </>
      )}
      <Fact name={text.refused}>
        {of.refused_messages ? text.refusedIn(count(of.refused), count(of.refused_messages)) : count(of.refused)}
      </Fact>
      {of.unreadable !== undefined && <Fact name={text.unreadable}>{count(of.unreadable)}</Fact>}
      <Fact name={text.repeats}>{count(of.repeats)}</Fact>
    </>
  );
}

/** As many as the statement names: there may be more. */
const gapsNamed = 20;

function gapsOf(gaps: NonNullable<DeviceStatement['numbers']>['gaps']): string {
  const text = statementWords.value;
  if (gaps.length === 0) return text.noGaps;
  const named = gaps.map(([from = 0, to = 0]) => (from === to ? String(from) : text.numbersFrom(from, to)));
  return [...named, ...(gaps.length === gapsNamed ? [text.moreGaps] : [])].join(text.joint);
}

function Times({ of }: { of: DeviceStatement }) {
  const text = statementWords.value;
  const earlier = Object.entries(of.earlier_days ?? {});
  return (
    <>
      {of.first !== null && <Fact name={text.first}>{moment(of.first * 1000)}</Fact>}
      {of.last !== null && <Fact name={text.last}>{moment(of.last * 1000)}</Fact>}
      {of.late > 0 && <Fact name={text.late}>{text.lateMost(count(of.late), lateNote(of.late_most_s ?? 0))}</Fact>}
      {earlier.length > 0 && (
        <Fact name={text.earlierDays}>
          {earlier.map(([day, records]) => text.forDay(records, day)).join(text.joint)}
        </Fact>
      )}
      <Fact name={text.clock}>{clockWords({ ...of.clock, wrong: false })}</Fact>
    </>
  );
}

/** Proof to keep elsewhere: the hash of this statement, in groups that people can compare. */
function Proof({ line: { hash, previous }, made }: { line: DeviceStatementLine; made: number }) {
  const text = statementWords.value;
  return (
    <section class="statement-proof" aria-label={text.head}>
      <dl class="facts">
        <Fact name={text.head}>
          <Hash of={hash} />
        </Fact>
        <Fact name={text.previous}>
          <Hash of={previous} />
        </Fact>
        <Fact name={text.made}>{moment(made)}</Fact>
      </dl>
      <p class="quiet">{text.proof}</p>
    </section>
  );
}
