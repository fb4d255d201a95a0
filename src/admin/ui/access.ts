import { z } from '@hono/zod-openapi';
import { DepartmentsOfPeople } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import type { DirectoryStore, PeopleReads, ReadPart } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { clockShape, lateShape, recordClock } from '../clock.ts';
import { byCommand, fileOperation, operation, type Report, type Running } from '../operation.ts';
import { cursorText, dayText, deviceWords, pageQuery, timePlaceOf } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { rowId } from '../shapes.ts';

const passage = z.object({
  id: z.number(),
  at: z.number(),
  received_at: z.number(),
  device_id: z.string(),
  device: z.string(),
  door: z
    .string()
    .describe(described('What the device named, else its serial number', '设备所报的名称，否则为其序列号')),
  known: z
    .boolean()
    .describe(described('False: somebody whom the organization does not know', 'false：组织中没有此人')),
  ext_id: z.string(),
  name: z.string(),
  department: z.string().describe(described('Of the day of the passage', '通行当天所属的部门')),
  type: z.string(),
  result: z
    .number()
    .describe(
      described(
        'SPEC 2.15: 0 passed, 1 no permission, 2 stranger, 8 locked, 9 fault',
        '规范 2.15：0 通过，1 无权限，2 陌生人，8 已锁定，9 故障',
      ),
    ),
  clock: clockShape,
  late_s: lateShape,
  photo: z.boolean(),
});
export type Passage = Report<typeof passage>;

/** Of one page: a filter that finds little is gone on with by the next one. */
const lookMax = 20_000;
/** Of one site: less is made of those that are looked at. */
const lookMaxOfBox = 100_000;

export const accessOperations = {
  passages: operation({
    method: 'get',
    path: '/access',
    role: 'viewer',
    summary: described(
      'Passages and refusals at doors, the newest first. A page may be short where a filter finds little.',
      '通行和被拒记录，最新的在前；筛选结果少时，一页可能不满',
    ),
    query: z.object({
      day: dayText.optional(),
      door: z.string().max(80).optional(),
      result: z.enum(['passed', 'refused', 'stranger', '0', '1', '2', '8', '9']).optional(),
      person: z
        .string()
        .max(64)
        .optional()
        .describe(described('An ID, or part of a name or number', '人员编号，或姓名、工号的一部分')),
      box: boxOfDevices.optional(),
      ...pageQuery(100),
    }),
    returns: described('The page', '一页'),
    answer: z.object({
      day: z.string().nullable().describe(described('Null: of all days', 'null：全部日期')),
      today: z.string(),
      rows: z.array(passage),
      cursor: cursorText,
    }),
  }),
  photo: fileOperation({
    method: 'get',
    path: '/access/{id}/photo',
    role: 'viewer',
    audited: described('viewed a photo taken at a door', '查看门禁照片'),
    summary: described(
      'The photo of a passage; for the role staff, and every look is written down',
      '一次通行的照片；需要考勤员权限，每次查看都会记录',
    ),
    params: z.object({ id: rowId }),
    returns: described('The photo', '照片'),
    files: { 'image/*': z.string().openapi({ format: 'binary' }) },
    failures: {
      404: described('There is no photo of this passage', '这次通行没有照片'),
      422: described('The photo is damaged', '照片已损坏'),
    },
  }),
};

/** Passages through doors, and refused ones. */
export function access({
  store,
  clock,
  config,
}: {
  readonly store: ReadPart<PeopleReads> & DirectoryStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
}): Running<typeof accessOperations> {
  const { site } = config;
  const serialOf = (deviceId: string) => deviceId.slice(deviceId.indexOf('_') + 1);
  const names = (deviceNo: Parameters<typeof deviceWords>[1]) => deviceWords(store.directory, deviceNo);

  const devicesNamed = (text: string) =>
    [...store.directory.devices()]
      .filter(({ name, deviceId }) => name.toLowerCase().includes(text) || deviceId.toLowerCase().includes(text))
      .map(({ deviceNo }) => deviceNo);

  return {
    async passages({ day, door, result, person: asked, box, cursor, limit }) {
      const wall = wallTime(site.timezone);
      const wanted = door?.trim().toLowerCase() ?? '';
      const who = asked?.trim() ?? '';
      const person = who === '' ? null : await store.read.person(who);
      const { rows: found, next } = await store.read.accessEvents({
        ...(day === undefined ? {} : wall.dayBounds(day)),
        person: person?.extId,
        personText: who === '' || person ? undefined : who.toLowerCase(),
        door: wanted === '' ? undefined : { text: wanted, deviceNos: devicesNamed(wanted) },
        result: /^\d$/.test(result ?? '') ? Number(result) : (result as 'passed' | 'refused' | 'stranger' | undefined),
        after: timePlaceOf(cursor),
        ...devicesChosen(store.directory, box),
        limit,
        lookMax: box === undefined ? lookMax : lookMaxOfBox,
      });
      const dates = found.map(({ at }) => wall.dateOf(at));
      const departments = await DepartmentsOfPeople.since(dates.at(-1) ?? '', store.read);
      const placesOf = await departments.of(found.flatMap(({ stands }) => stands ?? []));
      const rows = found.map((row, index): Passage => {
        const device = names(row.deviceNo);
        return {
          id: row.id,
          at: row.at,
          received_at: row.receivedAt,
          ...device,
          door: row.doorId || serialOf(device.device_id) || device.device,
          known: row.stands !== null,
          ext_id: row.extId,
          name: row.name,
          department: row.stands ? placesOf(row.stands, dates[index]!)[0]!.department : '',
          type: row.checkType,
          result: row.result,
          ...recordClock(row),
          photo: row.photo,
        };
      });
      const { day: today } = dayOf(clock.now(), site.timezone);
      return { day: day ?? null, today, rows, cursor: next ? `${next.at}-${next.id}` : null };
    },

    async photo({ id }, call = byCommand) {
      if (call.caller.role === 'viewer') {
        call.subject(auditSubjects.say('photo', { passage: id }));
        throw refused(403, 'Not allowed', 'this needs the role staff');
      }
      const photo = await store.read.accessPhoto(id);
      if (!photo || photo.state === 'none') throw refused(404, 'no_photo', 'there is no photo of this passage');
      if (photo.state === 'damaged') throw refused(422, 'damaged_photo', 'the photo is damaged and cannot be shown');
      const body = Buffer.from(photo.image, 'base64');
      const type = imageType(body);
      if (type === null) throw refused(422, 'damaged_photo', 'what was sent as a photo is none');
      call.subject(
        photo.extId
          ? auditSubjects.say('photo_of', { who: photo.extId, passage: id })
          : auditSubjects.say('photo_of_stranger', { passage: id }),
      );
      return { type, body, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } };
    },
  };
}

/** By the first bytes; never what a browser could run. */
function imageType(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('\x89PNG\r\n')) return 'image/png';
  if (head.startsWith('BM')) return 'image/bmp';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}
