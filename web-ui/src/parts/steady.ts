import { useRef } from 'preact/hooks';

/**
 * Rows in the order in which they were first shown while `hold` is true, with new ones in front: a
 * row that moved would take the focus from its buttons, or put another button under the pointer.
 */
export function useSteadyOrder<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  hold: () => boolean,
): readonly Row[] {
  const order = useRef<readonly string[]>([]);
  const byKey = new Map(rows.map(row => [keyOf(row), row]));
  const keys = [...byKey.keys()];
  if (hold()) {
    const shown = new Set(order.current);
    order.current = [...keys.filter(key => !shown.has(key)), ...order.current.filter(key => byKey.has(key))];
  } else order.current = keys;
  return order.current.map(key => byKey.get(key)!);
}
