import type { ComponentChildren } from 'preact';
import type { DeviceState } from '../../../src/platform/device-state.ts';
import { words } from '../words/index.ts';
import type { Selection } from './selection.tsx';
import { selectionWords } from './selection-words.ts';
import './brief.css';
import './selection.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly number?: boolean;
  /** As the box calls the order by this column; absent: the list is not sorted by it. */
  readonly sort?: string;
  /**
   * Place in the two lines that a row has on a phone: name and state, what comes `below`, buttons
   * beside or under both. Columns without one are left to the page that the name leads to.
   */
  readonly phone?: 'name' | 'state' | 'below' | 'acts' | 'acts-below';
}

/** By which column a list is sorted; `-name`: from the greatest to the least. */
export interface Sorting {
  readonly by: string;
  set(by: string): void;
}

/** Rows that can be chosen, by ids and names of theirs. */
export interface Choosing<Row> {
  readonly selection: Selection;
  /** Id of a row; null if it cannot be chosen. */
  readonly id: (row: Row) => string | null;
  readonly name: (row: Row) => string;
}

/**
 * Rows under a heading. On a phone each row becomes two lines, or without places for these a block
 * of labelled lines.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isNew,
  empty,
  narrow = false,
  total,
  sorting,
  choosing,
}: {
  /** Contents of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  isNew?: (row: Row) => boolean;
  empty?: ComponentChildren;
  /** So narrow that a phone has room for it: it stays a table there. */
  narrow?: boolean;
  /** How many rows there are, with those that are not loaded. */
  total?: number | undefined;
  sorting?: Sorting | undefined;
  choosing?: Choosing<Row> | undefined;
}) {
  if (rows.length === 0) return <Nothing>{empty ?? words.value.list.none}</Nothing>;
  const isBrief = columns.some(column => column.phone);
  const kind = [
    ...(narrow ? [] : ['stack']),
    ...(isBrief ? ['brief'] : []),
    ...(sorting || choosing ? ['sorts'] : []),
  ].join(' ');
  return (
    <div class="scroll">
      <table class={kind || undefined} aria-label={caption} aria-rowcount={total === undefined ? undefined : total + 1}>
        <thead>
          <tr aria-rowindex={total === undefined ? undefined : 1}>
            {choosing && <ChooseShown choosing={choosing} rows={rows} />}
            {columns.map(column => (
              <Heading key={column.key} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              class={isNew?.(row) ? 'new' : choosing && isChosen(choosing, row) ? 'chosen' : undefined}
              aria-rowindex={total === undefined ? undefined : index + 2}
            >
              {choosing && <ChooseRow choosing={choosing} row={row} />}
              {columns.map(column => (
                <td
                  key={column.key}
                  data-label={column.title}
                  data-phone={column.phone}
                  class={column.number ? 'number' : undefined}
                >
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

function Heading<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { sort, title, number } = column;
  const kind = number ? 'number' : '';
  if (!sorting || sort === undefined)
    return (
      <th scope="col" class={kind || undefined}>
        {title}
      </th>
    );
  const up = sorting.by === sort;
  const down = sorting.by === `-${sort}`;
  // Of numbers and times the greatest are looked for first.
  const first = number ? `-${sort}` : sort;
  const other = number ? sort : `-${sort}`;
  return (
    <th
      scope="col"
      class={`sortable ${kind}`.trim()}
      aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}
      data-title={title}
    >
      <button type="button" class="sort" onClick={() => sorting.set(sorting.by === first ? other : first)}>
        {title}
      </button>
    </th>
  );
}

function isChosen<Row>({ selection, id }: Choosing<Row>, row: Row): boolean {
  const known = id(row);
  return known !== null && selection.has(known);
}

/** Chooses all rows that are loaded, or none of them. */
function ChooseShown<Row>({ choosing, rows }: { choosing: Choosing<Row>; rows: readonly Row[] }) {
  const { selection, id } = choosing;
  const ids = rows.flatMap(row => id(row) ?? []);
  const chosen = ids.filter(one => selection.has(one)).length;
  return (
    <th scope="col" class="select">
      <label class="pick">
        <input
          type="checkbox"
          aria-label={selectionWords.value.selectShown}
          checked={chosen > 0 && chosen === ids.length}
          indeterminate={chosen > 0 && chosen < ids.length}
          onChange={event => selection.set(ids, event.currentTarget.checked)}
        />
      </label>
    </th>
  );
}

function ChooseRow<Row>({ choosing, row }: { choosing: Choosing<Row>; row: Row }) {
  const { selection, id, name } = choosing;
  const said = selectionWords.value;
  const known = id(row);
  return (
    <td class="select" data-label={said.select}>
      {known !== null && (
        <label class="pick">
          <input
            type="checkbox"
            aria-label={said.selectOf(name(row))}
            checked={selection.has(known)}
            onChange={event => selection.set([known], event.currentTarget.checked)}
          />
        </label>
      )}
    </td>
  );
}

/** In place of a list without rows. */
const Nothing = ({ children }: { children: ComponentChildren }) => <div class="nothing">{children}</div>;

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
