import type { ComponentChildren } from 'preact';
import type { DeviceState } from '../../../src/platform/device-state.ts';
import { words } from '../words/index.ts';
import { Way } from './icon.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly number?: boolean;
}

/** Rows under a heading; on a phone each row becomes a block of labelled lines. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isNew,
  empty,
  narrow = false,
}: {
  /** What the table holds, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  isNew?: (row: Row) => boolean;
  empty?: ComponentChildren;
  /** So narrow that a phone has room for it: it stays a table there. */
  narrow?: boolean;
}) {
  if (rows.length === 0) return <Nothing>{empty ?? words.value.list.none}</Nothing>;
  return (
    <div class="scroll">
      <table class={narrow ? undefined : 'stack'} aria-label={caption}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.key} scope="col" class={column.number ? 'number' : undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)} class={isNew?.(row) ? 'new' : undefined}>
              {columns.map(column => (
                <td key={column.key} data-label={column.title} class={column.number ? 'number' : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In place of a list without rows: the way of the data, on which nothing has come yet. */
const Nothing = ({ children }: { children: ComponentChildren }) => (
  <div class="nothing">
    <Way />
    <div>{children}</div>
  </div>
);

/** Under a list that goes on. */
export function More({
  state,
  more,
}: {
  state: { readonly more: boolean; readonly loading: boolean };
  more: () => void;
}) {
  if (!state.more) return null;
  return (
    <p>
      <button type="button" class="act" onClick={more} disabled={state.loading}>
        {words.value.list.more}
      </button>
    </p>
  );
}

/** Never by colour alone: also by shape (a filled dot, a ring, a cross) and by a word. */
export const State = ({ state }: { state: DeviceState }) => (
  <span class={`state ${state}`}>{words.value.state[state]}</span>
);
