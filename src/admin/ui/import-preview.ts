import { type SiteStints, siteStintsAfter, siteStintsOf, stintsOfSite } from '../../platform/stints.ts';
import type { PeopleReads, ScheduleReads, SiteChange } from '../../store/index.ts';

/** A person or department with the field names of the site file. */
export type HeldRow = Readonly<Record<string, unknown>>;

/** Present values of the rows that an import changes, by their external ids. */
export async function heldRows(
  read: Pick<PeopleReads, 'person' | 'departmentTree'> & Pick<ScheduleReads, 'employments'>,
  kind: 'departments' | 'employees',
  changes: readonly SiteChange[],
): Promise<Map<string, HeldRow>> {
  const keys = changes.filter(({ action }) => action === 'change').map(({ key }) => key);
  const held = new Map<string, HeldRow>();
  if (keys.length === 0) return held;
  if (kind === 'departments') {
    const tree = await read.departmentTree(Number.MAX_SAFE_INTEGER);
    const extIds = new Map(tree.map(({ id, extId }) => [id, extId]));
    for (const { extId, name, parentId } of tree)
      held.set(extId, { name, p_ext_id: parentId === null ? '' : (extIds.get(parentId) ?? '') });
    return held;
  }
  const spans = new Map(
    (await read.employments({ people: keys, limit: keys.length })).map(one => [one.extId, one] as const),
  );
  const always = { from: null, to: null, earlier: [] };
  for (const key of keys) {
    const person = await read.person(key);
    if (!person) continue;
    held.set(key, {
      name: person.name,
      mobile: person.mobile,
      employee_num: person.employeeNum,
      department: { ext_id: person.departmentExtId, title: person.title },
      ...siteStintsOf(spans.get(key) ?? always),
    });
  }
  return held;
}

/**
 * Old and new of the fields that differ; of a department the id, and the title by itself. `after`:
 * the row of the file.
 */
export function changedValues(
  fields: readonly string[],
  before: HeldRow,
  after: HeldRow,
): { field: string; before: string; after: string }[] {
  const old = flat(before);
  const stints = fields.some(field => field === 'from' || field === 'to' || field === 'earlier');
  const next = flat({ ...after, ...(stints && siteStintsOf(siteStintsAfter(stintsOfSite(before), after))) });
  const names = fields.flatMap(field => (field === 'department' ? ['department_ext_id', 'title'] : [field]));
  return names
    .map(field => ({ field, before: old.get(field) ?? '', after: next.get(field) ?? old.get(field) ?? '' }))
    .filter(one => one.before !== one.after);
}

function flat(row: HeldRow): Map<string, string> {
  const { department, earlier, ...rest } = row as HeldRow & {
    department?: { ext_id: string; title?: string };
    earlier?: SiteStints['earlier'];
  };
  const values = new Map(Object.entries(rest).map(([field, value]) => [field, String(value ?? '')]));
  values.set('earlier', (earlier || []).map(({ from, to }) => `${from ?? '…'} – ${to ?? '…'}`).join(', '));
  if (department) {
    values.set('department_ext_id', department.ext_id);
    if (department.title !== undefined) values.set('title', department.title);
  }
  return values;
}
