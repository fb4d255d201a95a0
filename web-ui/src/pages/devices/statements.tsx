import type { DeviceStatementLine } from '../../../../src/admin/statements.ts';
import { useLoaded } from '../../loaded.ts';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { count, day as dayOf } from '../../parts/numbers.ts';
import { usePagePart } from '../../parts/page-part.ts';
import { Table } from '../../parts/table.tsx';
import { statementWords } from '../../words/statements.ts';
import { isMonth, monthName } from '../attendance/dates.ts';
import { MonthBar } from '../attendance/month-bar.tsx';

export type DeviceStatement = DeviceStatementLine['statement'];

/** A month of a device: for each day what it said, what the box has, what the cloud confirmed. */
export function Statements({ id }: { id: string }) {
  const { values, set } = useInUrl();
  const month = isMonth(values.month) ? values.month : dayOf(now.peek()).slice(0, 7);
  const { loaded, reload } = useLoaded('/statements', { month, device_id: id });
  const { data, problem, loading } = loaded.value;
  usePagePart(data?.device_name || id);
  const text = statementWords.value;
  const rows = (data?.days ?? []).filter(line => line.statement.kind === 'device') as DeviceStatementLine[];
  const path = `/devices/${encodeURIComponent(id)}`;
  return (
    <>
      <p class="sentence">{text.of(data?.device_name || id, monthName(month))}</p>
      <p>
        <a href={path}>{text.backToDevice}</a>
      </p>
      <div class="bar">
        <MonthBar month={month} go={to => set({ month: to })} />
      </div>
      <ProblemNotice problem={problem} again={reload} />
      {loading && !data ? (
        <Loading />
      ) : (
        <Table
          caption={text.title}
          rows={rows}
          rowKey={({ statement }) => statement.day}
          empty={text.none}
          columns={[
            {
              key: 'day',
              title: text.day,
              cell: ({ statement }) => (
                <a class="mono" href={`${path}/statement/${statement.day}`}>
                  {statement.day}
                </a>
              ),
            },
            { key: 'said', title: text.said, number: true, cell: ({ statement }) => count(statement.said) },
            { key: 'box', title: text.box, number: true, cell: ({ statement }) => count(statement.box) },
            {
              key: 'cloud',
              title: text.cloud,
              number: true,
              cell: ({ statement }) => (statement.cloud === null ? '–' : count(statement.cloud)),
            },
            { key: 'state', title: text.state, cell: line => <DayState line={line} /> },
          ]}
        />
      )}
    </>
  );
}

/** A filled dot: all of it is where it belongs; a ring: some wait; a crossed one: some differ. */
function DayState({ line: { statement, hash } }: { line: DeviceStatementLine }) {
  const { states, joint } = statementWords.value;
  const differs = differing(statement);
  const parts = [
    ...(differs > 0 ? [states.differs(count(differs))] : []),
    ...(statement.waiting > 0 ? [states.waits(count(statement.waiting))] : []),
  ];
  if (parts.length === 0) parts.push(statement.said === 0 ? states.nothing : states.whole);
  const kind = differs > 0 ? 'refused' : statement.waiting > 0 || statement.said === 0 ? 'silent' : 'online';
  return (
    <span class={`state ${kind}`}>
      {parts.join(joint)}
      {hash === null && <span class="quiet"> ({states.open})</span>}
    </span>
  );
}

/** Records that are not where they belong, and do not get there by waiting. */
export const differing = ({ refused, missing, parked, lost = 0 }: DeviceStatement): number =>
  refused + missing + parked + Math.abs(lost);
