import type { ParkedPage } from '../../../../src/admin/ui/sync.ts';
import { post } from '../../api.ts';
import { usePages } from '../../loaded.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { useDoing } from '../../parts/doing.ts';
import { useChange } from '../../parts/every.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { type Column, More, Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { say } from './words.ts';

type Row = ParkedPage['rows'][number];

/** Records that the cloud refused, with its reasons. Fetched again when `stamp` changes. */
export function Parked({ stamp, changed }: { stamp: number; changed: () => void }) {
  const said = say.value;
  const { rows, state, more, reload } = usePages('/sync/parked');
  const { refused, run } = useDoing();
  useChange(stamp, reload);
  const send = (seq: number | null) =>
    run(async () => {
      const { count } = await post('/parked/send-again', { seq });
      sayDone(said.sentAgain(count));
      reload();
      changed();
    });
  const mayAct = may('admin');
  const columns: Column<Row>[] = [
    {
      key: 'device',
      title: said.device,
      cell: row => <DeviceLink of={row} />,
    },
    { key: 'at', title: said.at, cell: row => <span class="mono">{moment(row.parked_at)}</span> },
    {
      key: 'reason',
      title: said.reason,
      cell: row => `${whySaid({ why: row.reason, ...row.said })}${row.code === 0 ? '' : ` (${row.code})`}`,
    },
    {
      key: 'again',
      title: mayAct ? said.action : '',
      cell: row =>
        row.send_again ? (
          said.goesAgain
        ) : mayAct ? (
          <button
            type="button"
            class="act"
            aria-label={said.againOf(String(row.seq))}
            onClick={() => void send(row.seq)}
          >
            {said.again}
          </button>
        ) : (
          ''
        ),
    },
  ];
  return (
    <section class="sync" aria-labelledby="parked">
      <h2 id="parked">{said.refusedTitle}</h2>
      <ProblemNotice problem={refused.value ?? state.value.problem} />
      {rows.value.length > 0 && <p class="quiet">{said.refusedLead}</p>}
      <Table
        caption={said.refusedTitle}
        rows={rows.value}
        rowKey={row => row.seq}
        empty={said.noneRefused}
        columns={columns}
      />
      <More state={state.value} more={more} />
      {mayAct && rows.value.length > 1 && (
        <p class="bar">
          <button type="button" class="act" onClick={() => void send(null)}>
            {said.allAgain}
          </button>
        </p>
      )}
    </section>
  );
}
