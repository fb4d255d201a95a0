import { z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';

/** Schemas that changes of many devices and of many people share. */

export const bulkIdsMax = 2000;
/** For the list of ids. */
export const bulkBodyBytesMax = 256 * 1024;
/** In the audit log a list ends after so many names. */
const namedMax = 20;
/** Of those that were left as they are, the answer names so many for each reason. */
const listedMax = 20;

const whyNot = z
  .enum([
    ...(['already', 'unknown', 'no_people_data', 'no_department', 'before_first_day'] as const),
    ...(['changed_since', 'gone'] as const),
  ])
  .describe(
    described(
      "already: it is so; no_people_data: devices of its product receive no people's data; no_department: the department is gone, or has no external id; before_first_day: the first day is later; changed_since: somebody changed it after the change that is undone",
      'already：已是如此；no_people_data：其产品的设备不接收人员数据；no_department：部门已不存在，或没有外部编号；before_first_day：入职日期更晚；changed_since：在要撤销的更改之后又有人更改',
    ),
  );
export type WhyNot = z.output<typeof whyNot>;

const unchanged = z
  .array(
    z.object({
      why: whyNot,
      count: z.number(),
      ids: z.array(z.string()).describe(described(`At most ${listedMax} of them`, `最多列出 ${listedMax} 个`)),
    }),
  )
  .describe(described('Those that were left as they are, by reason', '未更改的，按原因列出'));

export const bulkChanged = z.object({
  id: z.number().nullable().describe(described('To undo it; null: nothing changed', '用于撤销；null：没有更改')),
  changed: z.number(),
  unchanged,
});
export const bulkUndone = z.object({ changed: z.number(), unchanged });

/** Rows left as they are, counted by reason. */
export class Unchanged {
  readonly #byWhy = new Map<WhyNot, { count: number; ids: string[] }>();

  add(why: WhyNot, id: string): void {
    const row = this.#byWhy.get(why) ?? { count: 0, ids: [] };
    row.count++;
    if (row.ids.length < listedMax) row.ids.push(id);
    this.#byWhy.set(why, row);
  }

  rows() {
    return [...this.#byWhy].map(([why, row]) => ({ why, ...row }));
  }
}

/** For the audit log: to whom it happened. */
export const manyOf = (ids: readonly string[]): { readonly ids: string; readonly more: number } => ({
  ids: ids.slice(0, namedMax).join(', '),
  more: Math.max(0, ids.length - namedMax),
});
