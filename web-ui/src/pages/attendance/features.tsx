import { useSignal } from '@preact/signals';
import type { FeatureReport } from '../../../../src/admin/ui/people-lists.ts';
import { get } from '../../api.ts';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { typeWords } from '../../words/punches.ts';
import { said } from './words.ts';

/**
 * Which features are stored of a person, never what they are. Fetched only on request: each read is
 * in the audit log.
 */
export function Features({ extId }: { extId: string }) {
  const rows = useSignal<readonly FeatureReport[] | null>(null);
  const stayHere = useSignal(false);
  const { refused, run } = useDoing();
  const text = said.value;
  const fetchThem = () =>
    run(async () => {
      const answer = await get('/people/{ext_id}/features', { ext_id: extId });
      stayHere.value = answer.stay_here;
      rows.value = answer.rows;
    });
  return (
    <section aria-labelledby="features">
      <h2 id="features">{text.features}</h2>
      <p class="quiet">{text.featuresHint}</p>
      <ProblemNotice problem={refused.value} />
      {rows.value === null ? (
        <button type="button" class="act" onClick={() => void fetchThem()}>
          {text.showFeatures}
        </button>
      ) : (
        <Table
          caption={text.features}
          rows={rows.value}
          rowKey={row => `${row.type} ${row.algorithm}`}
          empty={text.noFeatures}
          columns={[
            { key: 'type', title: text.type, cell: row => typeWords(row.type) },
            { key: 'algorithm', title: text.algorithm, cell: row => <span class="mono">{row.algorithm}</span> },
            {
              key: 'length',
              title: text.length,
              cell: row => <span class="mono">{row.values.map(one => one.length).join(', ')}</span>,
            },
            {
              key: 'state',
              title: text.state,
              cell: row =>
                row.damaged ? text.damaged : row.values.some(one => one.abnormal) ? text.abnormal : text.fine,
            },
            { key: 'stored', title: text.storedAt, cell: row => <span class="mono">{moment(row.stored_at)}</span> },
            { key: 'from', title: text.from, cell: row => row.device || text.byCaller },
          ]}
        />
      )}
      {rows.value !== null && <p class="quiet">{stayHere.value ? text.featuresHere : text.featuresThere}</p>}
    </section>
  );
}
