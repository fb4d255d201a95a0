import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { DepartmentFacts } from '../../../../src/admin/ui/people-lists.ts';
import { inTreeOrder } from '../../parts/departments.tsx';
import { said } from './words.ts';

const shownAtOnceMax = 60;

/**
 * The departments as a tree that the keyboard can use: up and down move between the visible rows,
 * right opens a row or moves into it, left closes it or moves out, Enter chooses. Tab reaches one
 * row.
 */
export function Tree({
  departments,
  chosen,
  choose,
}: {
  departments: readonly DepartmentFacts[];
  /** Chosen department; null for everybody. */
  chosen: DepartmentFacts | null;
  choose: (one: DepartmentFacts) => void;
}) {
  const closed = useSignal<ReadonlySet<number>>(closedAtFirst(departments));
  const at = useSignal<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const rows = inTreeOrder(departments);
  const hasBelow = new Set(departments.map(one => one.parent));
  const hidden = new Set<number>();
  for (const { one } of rows)
    if (one.parent !== null && (hidden.has(one.parent) || closed.value.has(one.parent))) hidden.add(one.id);
  const shown = rows.filter(({ one }) => !hidden.has(one.id));
  const current = shown.find(({ one }) => one.id === (at.value ?? chosen?.id))?.one ?? shown[0]?.one;

  const go = (one: DepartmentFacts | undefined) => {
    if (!one) return;
    at.value = one.id;
    list.current?.querySelector<HTMLElement>(`[data-id="${one.id}"]`)?.focus();
  };
  const setOpen = (id: number, open: boolean) => {
    const next = new Set(closed.value);
    if (open) next.delete(id);
    else next.add(id);
    closed.value = next;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!current) return;
    const index = shown.findIndex(({ one }) => one.id === current.id);
    const open = hasBelow.has(current.id) && !closed.value.has(current.id);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(shown[index + 1]?.one),
      ArrowUp: () => go(shown[index - 1]?.one),
      Home: () => go(shown[0]?.one),
      End: () => go(shown.at(-1)?.one),
      ArrowRight: () => (open ? go(shown[index + 1]?.one) : setOpen(current.id, true)),
      ArrowLeft: () =>
        open ? setOpen(current.id, false) : go(shown.find(({ one }) => one.id === current.parent)?.one),
      Enter: () => choose(current),
      ' ': () => choose(current),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div class="tree" role="tree" aria-label={said.value.tree} ref={list}>
      {shown.map(({ one, depth }) => {
        const open = !closed.value.has(one.id);
        const parent = hasBelow.has(one.id);
        return (
          <div
            key={one.id}
            role="treeitem"
            data-id={one.id}
            tabIndex={one.id === current?.id ? 0 : -1}
            aria-level={depth + 1}
            aria-expanded={parent ? open : undefined}
            aria-selected={one.id === chosen?.id}
            class={`depth${Math.min(depth, 6)}`}
            onKeyDown={onKeyDown}
            onClick={() => {
              at.value = one.id;
              choose(one);
            }}
          >
            <span
              class="turn"
              aria-hidden="true"
              onClick={event => {
                event.stopPropagation();
                if (parent) setOpen(one.id, !open);
              }}
            >
              {parent ? (open ? '▾' : '▸') : ''}
            </span>
            <span class="label">{one.name}</span> <span class="quiet">{one.people_below}</span>
          </div>
        );
      })}
    </div>
  );
}

/** A large organization is shown with its first level only, a small one completely. */
function closedAtFirst(departments: readonly DepartmentFacts[]): ReadonlySet<number> {
  if (departments.length <= shownAtOnceMax) return new Set();
  return new Set(departments.filter(one => one.parent !== null).map(one => one.id));
}
