import type { DepartmentFacts } from '../../../src/admin/ui/people-lists.ts';
import { useLoaded } from '../loaded.ts';
import { area } from '../words/index.ts';
import { Choice } from './field.tsx';

const words = area({ department: 'Department', all: 'All departments' }, { department: '部门', all: '全部部门' });

/** Each department before those below it, with its depth. */
export function inTreeOrder(
  departments: readonly DepartmentFacts[],
): { readonly one: DepartmentFacts; readonly depth: number }[] {
  const below = new Map<number | null, DepartmentFacts[]>();
  for (const one of departments) {
    const siblings = below.get(one.parent);
    if (siblings) siblings.push(one);
    else below.set(one.parent, [one]);
  }
  const rows: { one: DepartmentFacts; depth: number }[] = [];
  const visit = (parent: number | null, depth: number): void => {
    for (const one of below.get(parent) ?? []) {
      rows.push({ one, depth });
      visit(one.id, depth + 1);
    }
  };
  visit(null, 0);
  return rows;
}

/** Each department that has an external id, indented below the one that it belongs to. */
export const DepartmentOptions = ({
  departments,
  chosen,
}: {
  departments: readonly DepartmentFacts[];
  chosen?: string | undefined;
}) => (
  <>
    {inTreeOrder(departments)
      .filter(({ one }) => one.ext_id !== '')
      .map(({ one, depth }) => (
        <option key={one.id} value={one.ext_id} selected={one.ext_id === chosen}>
          {`${'\u2003'.repeat(depth)}${one.name}`}
        </option>
      ))}
  </>
);

/** One department with those below it, or all of them. */
export function DepartmentFilter({ value, choose }: { value: string; choose: (extId: string) => void }) {
  const { loaded } = useLoaded('/departments');
  const rows = inTreeOrder(loaded.value.data?.departments ?? []).filter(
    ({ one, depth }) => depth > 0 && one.ext_id !== '',
  );
  return (
    <Choice label={words.value.department} value={value} onChange={event => choose(event.currentTarget.value)}>
      <option value="">{words.value.all}</option>
      {rows.map(({ one, depth }) => (
        <option key={one.id} value={one.ext_id} selected={one.ext_id === value}>
          {`${'\u2003'.repeat(depth - 1)}${one.name}`}
        </option>
      ))}
    </Choice>
  );
}
