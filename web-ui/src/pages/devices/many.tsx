import type { DeviceState } from '../../../../src/platform/device-state.ts';
import { post, query } from '../../api.ts';
import { BulkNotice, type Selection, SelectionBar, useBulk } from '../../parts/selection.tsx';
import { may } from '../../session.ts';
import { manyWords } from './many-words.ts';

/** More names make an address that is too long. */
const labelsMax = 100;

type Action = 'approve' | 'block' | 'unblock';

const undoOf = (id: number) => () => post('/devices/bulk/{id}/undo', { id });

/** Actions on the chosen devices, and their undo. */
export function ManyDevices({
  selection,
  total,
  matching,
  changed,
}: {
  selection: Selection;
  total: number;
  matching: {
    readonly search: string;
    readonly state: string;
    readonly product: string;
    readonly box: string;
    readonly asOf: number;
  };
  changed: () => void;
}) {
  const said = manyWords.value;
  const bulk = useBulk(changed);
  const act = async (action: Action) => {
    const { asOf, search, product, state, box } = matching;
    const ids = [...selection.ids];
    const filter = {
      ...(search === '' ? {} : { search }),
      ...(product === '' ? {} : { product }),
      ...(box === '' ? {} : { box }),
      ...(state === '' ? {} : { state: state as DeviceState }),
    };
    const chosen = selection.all ? { matching: { ...filter, except: ids, as_of: asOf } } : { device_ids: ids };
    const done = await bulk.run(async () => {
      const outcome = await post('/devices/bulk', { action, ...chosen });
      return { ...outcome, undo: outcome.id === null ? null : undoOf(outcome.id) };
    }, said.done[action]);
    if (done) selection.clear();
  };
  const button = (action: Action, danger = false) => (
    <button type="button" class={danger ? 'act danger' : 'act'} disabled={bulk.busy.value} onClick={() => act(action)}>
      {said.act[action]}
    </button>
  );
  return (
    <>
      <BulkNotice bulk={bulk} />
      <SelectionBar selection={selection} total={total}>
        {may('staff') && button('approve')}
        {may('admin') && button('unblock')}
        {may('admin') && button('block', true)}
        {!selection.all && selection.count <= labelsMax && (
          <a
            class="act"
            href={`/admin/v1/labels${query({ device: [...selection.ids] })}`}
            target="_blank"
            rel="noopener"
          >
            {said.labels}
          </a>
        )}
      </SelectionBar>
    </>
  );
}
