import {
  type AttendanceResults,
  type Move,
  planChange,
  withDepartmentsMoved,
  withPeopleMoved,
} from '../../attendance/index.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { DepartmentNode, PeopleReads } from '../../store/index.ts';
import type { importList } from '../import-organization.ts';
import type { HeldRow } from './import-preview.ts';

interface Parts {
  readonly read: PeopleReads;
  readonly results: Pick<AttendanceResults, 'of' | 'withPlans'>;
  readonly today: DateText;
}

type Looked = Pick<Awaited<ReturnType<typeof importList>>, 'changes' | 'items'>;
type Tree = ReadonlyMap<string, DepartmentNode>;

/**
 * The days that are over and that change by moves which a list dates before today; undefined: it
 * has none.
 */
export async function changedByMoves(
  { read, results, today }: Parts,
  kind: 'employees' | 'departments',
  looked: Looked,
) {
  const field = kind === 'employees' ? 'department_since' : 'parent_since';
  const changed = new Set(
    looked.changes.filter(one => one.section === kind && one.action === 'change').map(({ key }) => key),
  );
  const rows = looked.items
    .map(({ item }) => item as HeldRow)
    .filter(row => changed.has(String(row.ext_id)) && String(row[field] ?? today) < today);
  if (rows.length === 0) return undefined;
  const nodes = await read.departmentTree(Number.MAX_SAFE_INTEGER);
  const tree: Tree = new Map(nodes.map(node => [node.extId, node]));
  const from = rows.map(row => String(row[field])).sort()[0]!;
  if (kind === 'departments') {
    const plans = withDepartmentsMoved(read, departmentMoves(rows, tree));
    return planChange(results, plans, { from, today });
  }
  const plans = withPeopleMoved(read, await peopleMoves(read, rows, tree));
  return planChange(results, plans, { from, today, people: rows.map(({ ext_id: extId }) => String(extId)) });
}

/** Under departments that the list adds nothing changes before it is imported. */
function departmentMoves(rows: readonly HeldRow[], tree: Tree): Map<number, Move> {
  const moves = new Map<number, Move>();
  for (const { ext_id: extId, p_ext_id: parent, parent_since: since } of rows) {
    const own = tree.get(String(extId));
    const to = tree.get(String(parent ?? '0'));
    if (own && own.parentId !== null && to) moves.set(own.id, { now: own.parentId, to: to.id, since: String(since) });
  }
  return moves;
}

async function peopleMoves(
  read: Pick<PeopleReads, 'person'>,
  rows: readonly HeldRow[],
  tree: Tree,
): Promise<Map<number, Move>> {
  const moves = new Map<number, Move>();
  for (const { ext_id: extId, department, department_since: since } of rows) {
    const person = await read.person(String(extId));
    const to = tree.get((department as { ext_id: string }).ext_id);
    if (person && to) moves.set(person.place.id, { now: person.place.department, to: to.id, since: String(since) });
  }
  return moves;
}
