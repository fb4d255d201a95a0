import { useCallback } from 'preact/hooks';
import type { TraceRow } from '../../../../src/admin/ui/devices.ts';
import { usePages } from '../../loaded.ts';
import { useChange } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { whySaid } from '../../parts/reasons.ts';
import { More, Table } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { say } from './words.ts';

const pageRows = 10;

/**
 * The receipt of each punch: when it was made, when it arrived, and where it is now. Fetched again
 * when `stamp` changes.
 */
export function Trace({ id, stamp }: { id: string; stamp: string }) {
  const said = say.value;
  const { rows, state, more, reload } = usePages('/devices/{id}/ledger', { id, limit: pageRows });
  const refresh = useCallback(() => {
    // Somebody who reads a later page is not sent back to the first.
    if (rows.peek().length <= pageRows) reload();
  }, [rows, reload]);
  useChange(stamp, refresh);
  return (
    <section aria-labelledby="trace">
      <h2 id="trace">{said.trace}</h2>
      <ProblemNotice problem={state.value.problem} again={reload} />
      {state.value.loading && rows.value.length === 0 ? (
        <Loading rows={2} />
      ) : (
        <Table
          caption={said.trace}
          rows={rows.value}
          rowKey={row => row.seq}
          empty={said.noTrace}
          columns={[
            {
              key: 'received',
              title: said.received,
              cell: row => (
                <span>
                  <span class="mono">{whenOf(row.received_at)}</span>
                  {row.clamped && <small class="device-id warn">{said.clampedTime}</small>}
                </span>
              ),
            },
            {
              key: 'device',
              title: said.deviceTime,
              cell: row => <span class="mono">{row.device_time === null ? '–' : whenOf(row.device_time * 1000)}</span>,
            },
            { key: 'what', title: said.what, cell: whatOf },
            {
              key: 'where',
              title: said.where,
              cell: row => (
                <a
                  class={row.state === 'parked' ? 'bad' : undefined}
                  href={`/devices/${encodeURIComponent(id)}/record/${row.seq}`}
                >
                  {whereOf(row)}
                </a>
              ),
            },
          ]}
        />
      )}
      <More state={state.value} more={more} />
    </section>
  );
}

function whatOf({ channel, kind, action, unreadable }: TraceRow): string {
  const said = say.value;
  if (unreadable) return `${said.unreadable}: ${whySaid(unreadable)}`;
  if (channel === 'log') return said.kinds.log!;
  if (kind !== null) return said.kinds[kind] ?? kind;
  return action === null ? said.message : said.action(String(action));
}

function whereOf({ state, confirmed_at, reason, code, params }: TraceRow): string {
  const said = say.value;
  if (state === 'confirmed') return confirmed_at === null ? said.confirmed : said.confirmedAt(whenOf(confirmed_at));
  if (state === 'parked') return said.parked(whySaid({ why: reason ?? '', code, params }));
  if (state === 'kept here')
    return reason === null ? said.keptHere : said.keptBecause(whySaid({ why: reason, code, params }));
  return said.waits;
}
