import { z } from '@hono/zod-openapi';
import { deviceName } from '../attendance/index.ts';
import { hasDirectionControl } from '../platform/folded-number.ts';
import { maskedMobile } from '../platform/masked-mobile.ts';
import { isDay } from '../runtime/calendar-date.ts';
import type { DeviceNo, Directory, PersonPlace, PersonRow, PunchSource } from '../store/index.ts';
import { described } from '../words/described.ts';
import { listErrors } from '../words/lists.ts';
import { planErrors } from '../words/plans.ts';
import type { Role } from './guard.ts';
import type { Report } from './operation.ts';
import { refused } from './problem.ts';

/**
 * Schemas that the lists of people, days and passages share: their queries, their places, their
 * rows.
 */

export const dayText = z.string().refine(isDay, { error: 'write a day such as 2026-11-20' });

/** A move is dated today, or before. */
export function throwIfLater(since: string | undefined, today: string): void {
  if (since !== undefined && since > today)
    throw refused(422, 'later_than_today', `${since}: ${planErrors.say('move_to_come').reason}`);
}

export const monthText = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'write a month such as 2026-11' });
export const cursorText = z.string().nullable();
export const extIdText = z.string().min(1).max(64);

/** Of a device or a box. */
export const nameText = z
  .string()
  .trim()
  .max(100)
  .refine(value => !hasDirectionControl(value), { error: listErrors.say('turns_direction').reason });

export const scopeQuery = {
  department: z.string().max(64).optional(),
  search: z
    .string()
    .max(80)
    .optional()
    .describe(
      described(
        'In name, number or id; the beginning of the pinyin or the initials of a name',
        '姓名、工号或编号中的文字；姓名拼音的开头或首字母',
      ),
    ),
};
export const pageQuery = (size: number) => ({
  /** Two whole numbers: where the last page ended. */
  cursor: z
    .string()
    .regex(/^\d{1,16}-\d{1,16}$/)
    .optional(),
  limit: z.coerce.number<number>().int().min(1).max(500).default(size),
});

const filled = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);
export const scopeOf = (query: { department?: string | undefined; search?: string | undefined }) => ({
  departmentExtId: filled(query.department),
  text: filled(query.search?.trim()),
});

const pair = (cursor: string): [number, number] => cursor.split('-').map(Number) as [number, number];
export function personPlaceOf(cursor: string | undefined): PersonPlace | undefined {
  if (cursor === undefined) return undefined;
  const [department, id] = pair(cursor);
  return { department, id };
}
export function timePlaceOf(cursor: string | undefined): { at: number; id: number } | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = pair(cursor);
  return { at, id };
}
/** Null when the page was not full: nothing follows. */
export const personCursor = (rows: readonly PersonRow[], limit: number): string | null => {
  const last = rows.at(-1);
  return last && rows.length === limit ? personCursorAt(last.place) : null;
};
export const personCursorAt = ({ department, id }: PersonPlace): string => `${department}-${id}`;

export const person = z.object({
  key: z.number().describe(described('Of the row, for the page alone', '行的标识，仅供网页使用')),
  ext_id: z.string().describe(described('Empty: has none yet', '空：尚无编号')),
  name: z.string(),
  employee_num: z.string(),
  mobile: z.string(),
  title: z.string(),
  department: z.string().describe(described('Empty: the root without a name', '空：没有名称的根部门')),
  department_ext_id: z.string(),
});
export type PersonFacts = Report<typeof person>;

/** A viewer sees `138****0000`. */
export const personFacts = (row: PersonRow, siteName: string, role: Role): PersonFacts => ({
  key: row.place.id,
  ext_id: row.extId,
  name: row.name,
  employee_num: row.employeeNum,
  mobile: role === 'viewer' ? maskedMobile(row.mobile) : row.mobile,
  title: row.title,
  department: row.department || siteName,
  department_ext_id: row.departmentExtId,
});

export const source = z.object({
  at: z.number(),
  device_id: z.string(),
  device: z
    .string()
    .describe(
      described(
        "The device's name, or its serial number; empty: the cloud lists it, and no device of the site reported it",
        '设备的名称或序列号；空：由云平台列出，本站点没有设备上报',
      ),
    ),
  type: z.string(),
});
export type SourceFacts = Report<typeof source>;

export const deviceWords = (directory: Directory, deviceNo: DeviceNo): { device_id: string; device: string } => {
  const device = directory.deviceByNo(deviceNo);
  return { device_id: device?.deviceId ?? '', device: deviceName(directory, deviceNo) };
};

export const sourceFacts = (directory: Directory, punch: PunchSource | null): SourceFacts | null =>
  punch && { at: punch.at, type: punch.checkType, ...deviceWords(directory, punch.deviceNo) };
