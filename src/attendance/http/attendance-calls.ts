import { z } from '@hono/zod-openapi';
import { attendanceLimits } from '../../platform/attendance.ts';
import { parseDeviceId } from '../../platform/device-id.ts';
import { foldedNumber } from '../../platform/folded-number.ts';
import { isBiometric } from '../../platform/reports.ts';
import { type AccessEntryRecord, devicesOfBox } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { type Answer, answered, CallRefused, doneWithoutData } from './answers.ts';
import { type AttendanceCall, type CallContext, call, forCloud, levelWithinMs } from './calls.ts';
import { refuseUnknownOrganization } from './organization-calls.ts';
import { accessQuery, anything, checkInQuery, featureQuery, featureUpdate } from './schemas.ts';

export const attendancePath = '/v2.0/cloudappapi';

/**
 * `{next_id, data: […]}` of records that are JSON already: 500 are not read to be written again.
 */
export class PageText {
  readonly nextId: number;
  readonly #records: readonly (string | Uint8Array)[];

  constructor(nextId: number, records: readonly (string | Uint8Array)[]) {
    this.nextId = nextId;
    this.#records = records;
  }

  /** The whole answer behind `head`, in one piece: it leaves in one write. */
  after(head: string): Buffer<ArrayBuffer> {
    const pieces: Uint8Array[] = [Buffer.from(`${head}{"next_id":${this.nextId},"data":[`)];
    for (const [index, record] of this.#records.entries()) {
      if (index > 0) pieces.push(comma);
      pieces.push(typeof record === 'string' ? Buffer.from(record) : record);
    }
    pieces.push(Buffer.from(']}}'));
    return Buffer.concat(pieces);
  }
}

const comma = Buffer.from(',');

const featuresRetryAfterSeconds = 5;

const text = (value: string): string => JSON.stringify(value);

const person = ({ userId, extId }: AccessEntryRecord): string => `"user_id":${text(userId)},"ext_id":${text(extId)}`;
const check = ({ checkType, checkTime, checkData: data }: AccessEntryRecord): string =>
  `"check_type":"${checkType}","check_time":${checkTime},"check_data":${data}`;

const sizeOf = (asked: number | undefined): number =>
  Math.min(asked ?? attendanceLimits.pageSizeDefault, attendanceLimits.pageSizeMax);

interface Asked {
  readonly next_id?: number | undefined;
  readonly box_id?: string | undefined;
}

const walkOf = (next: number, { box_id: box }: Asked): string => (box === undefined ? `${next}` : `${next} ${box}`);
const walking = {
  walk: (asked: Asked) => walkOf(asked.next_id ?? 0, asked),
  next: (asked: Asked, { data }: Answer) => {
    const { nextId } = data as PageText;
    return nextId === (asked.next_id ?? 0) ? null : walkOf(nextId, asked);
  },
};

/** The devices of the box that a caller names; empty: it names none. */
function ofBox({ directory }: CallContext['store'], { box_id }: Asked) {
  if (box_id === undefined) return {};
  const parsed = parseDeviceId(box_id);
  if (box_id !== 'here' && !(parsed.ok && directory.boxBelow(parsed.value)))
    throw new CallRefused('unknown_id', 'box_id: no box below has this id');
  return { deviceNos: devicesOfBox(directory, parsed.ok ? parsed.value : 'here') };
}

/**
 * A page, unless its number was never given out: whoever goes on with one of the cloud or of
 * another box would get nothing, and miss for ever what comes below it. An empty page means that
 * the caller has everything (SPEC 3.7), so that it has to hold what was acknowledged when it was
 * asked for. Throws TablesBehind where the tables are not there within three seconds: the caller is
 * to ask again.
 */
async function wholePage<Page extends { readonly isAhead: boolean }>(
  store: CallContext['store'],
  { read, isEmpty }: { read(): Promise<Page>; isEmpty(page: Page): boolean },
): Promise<Page> {
  let page = await read();
  if (page.isAhead || isEmpty(page)) {
    await store.whole(levelWithinMs);
    page = await read();
  }
  if (page.isAhead)
    throw new CallRefused('bad_body', 'next_id: was never given here, but by the cloud or another box; begin with 0');
  return page;
}

const checkData = z.record(z.string(), z.string());
const record = z.object({
  id: z.string(),
  user_id: z.string(),
  ext_id: z.string(),
  terminal_id: z.string(),
  check_type: z.string(),
  check_time: z.number().int(),
  check_data: checkData,
});

/** The five commands of `/v2.0/cloudappapi` (SPEC 4.8). */
export const attendanceCalls: readonly AttendanceCall[] = [
  call({
    path: attendancePath,
    command: 'checkin_query_init',
    summary: described(
      'Check-ins that are reported from now on can be queried; a second time changes nothing',
      '此后上报的打卡可供查询；重复调用没有影响',
    ),
    body: anything,
    example: {},
    async run(_body, { store, now }) {
      await store.whole(levelWithinMs);
      await store.write.initCheckIns({ at: now() });
      return doneWithoutData;
    },
  }),
  call({
    path: attendancePath,
    command: 'checkin_query',
    mirrors: 'checkins',
    summary: described(
      'Check-ins after next_id, in the order of report; those of somebody who becomes known later come then',
      'next_id 之后的打卡，按上报顺序；后来才登记的人员的打卡在登记时给出',
    ),
    body: checkInQuery,
    example: { next_id: 0, page_size: 500 },
    answers: z.object({ next_id: z.number().int(), data: z.array(record) }),
    ...walking,
    async run(asked, { store }) {
      const page = { after: asked.next_id ?? 0, limit: sizeOf(asked.page_size), ...ofBox(store, asked) };
      const { records, next } = await wholePage(store, {
        read: () => store.read.checkInPage(page),
        isEmpty: ({ count }) => count === 0,
      });
      return answered(new PageText(next, records));
    },
  }),
  call({
    path: attendancePath,
    command: 'checkin_acs_query',
    mirrors: 'access',
    summary: described('Access records in the order of report, after next_id', 'next_id 之后的通行记录，按上报顺序'),
    body: accessQuery,
    example: { next_id: 0, page_size: 500 },
    answers: z.object({
      next_id: z.number().int(),
      data: z.array(
        z.object({
          id: z.number().int(),
          door_id: z.string(),
          user_id: z.string(),
          ext_id: z.string(),
          check_type: z.string(),
          check_time: z.number().int(),
          check_data: checkData,
          check_result: z.number().int(),
          capture_img: z.string().optional(),
        }),
      ),
    }),
    reads: () => auditSubjects.say('access_with_photos'),
    ...walking,
    async run({ pass_only, ...asked }, { store }) {
      const page = {
        ...{ after: asked.next_id ?? 0, limit: sizeOf(asked.page_size), ...ofBox(store, asked) },
        ...{ passedOnly: pass_only ?? true, bytesMax: attendanceLimits.pageBytesMax },
      };
      const { rows, next } = await wholePage(store, {
        read: () => store.read.accessPage(page),
        isEmpty: ({ rows }) => rows.length === 0,
      });
      const records = rows.map(
        row =>
          `{"id":${row.id},"door_id":${text(row.doorId)},${person(row)},${check(row)},"check_result":${row.checkResult}${
            row.captureImg === null ? '' : `,"capture_img":${text(row.captureImg)}`
          }}`,
      );
      return answered(new PageText(next, [records.join(',')]));
    },
  }),
  call({
    path: attendancePath,
    command: 'feature_update',
    bytesMax: attendanceLimits.bodyBytesMax,
    summary: described('Stores features of people; no value deletes them', '保存人员的特征；没有值时删除'),
    body: featureUpdate,
    example: { users: [{ ext_id: 'e9', feature_type: 'fa', feature_alg: 'base64', feature_value: ['AAEC'] }] },
    answers: z.object({ error_ext_ids: z.array(z.string()) }),
    async run({ users }, context, incoming) {
      const failed = new Set<string>();
      const good: Parameters<typeof context.store.write.putFeatures>[0]['users'][number][] = [];
      const sent: typeof users = [];
      for (const user of users) {
        const values = user.feature_value.map(value => plainValue(value, user.feature_type, user.feature_alg));
        if (values.some(value => value === null)) failed.add(user.ext_id);
        else {
          sent.push(user);
          good.push({
            extId: user.ext_id,
            featureType: user.feature_type,
            featureAlg: user.feature_alg,
            values: values as string[],
          });
        }
      }
      let isQueued = false;
      // One write for each person, so that a refusal by the cloud holds up only that person.
      for (const [index, one] of good.entries()) {
        const stays = context.featuresStay && isBiometric(one.featureType);
        const passed = {
          path: attendancePath,
          command: 'feature_update',
          subject: `features of ${one.extId}`,
          body: JSON.stringify({ users: [{ ...sent[index], feature_value: one.values }] }),
        };
        const queue = stays ? null : forCloud(context, incoming, passed);
        const [unknown] = await context.store.write.putFeatures({ users: [one], at: context.now(), queue });
        if (unknown === undefined) isQueued ||= queue !== null;
        else failed.add(unknown);
      }
      if (isQueued) context.queued();
      return answered({ error_ext_ids: [...failed] });
    },
  }),
  call({
    path: attendancePath,
    command: 'checkin_feature_query',
    mirrors: 'features',
    summary: described('The features of a person of one type and algorithm', '一名人员某一种类和算法的特征'),
    body: featureQuery,
    example: { user_ext_id: 'e9', feature_type: 'fa', feature_alg: 'base64' },
    reads: ({ user_ext_id: who, feature_type: type }) => auditSubjects.say('features_of_type', { who, type }),
    answers: z.object({ features: z.array(z.object({ value: z.string(), is_abnormal: z.boolean() })) }),
    async run({ user_ext_id, feature_type, feature_alg }, context) {
      await refuseUnknownOrganization(context);
      const kind = { featureType: feature_type, featureAlg: feature_alg };
      const asked = { extId: user_ext_id, ...kind };
      let found = await context.store.read.features(asked);
      // None here says nothing of the cloud: an empty answer would be believed.
      if (found?.length === 0) {
        if (!(await context.bringFeatures(user_ext_id, kind)))
          throw new CallRefused(
            'organization_abnormal',
            'these features have not been fetched from the cloud yet, which cannot be reached now',
            featuresRetryAfterSeconds,
          );
        found = await context.store.read.features(asked);
      }
      if (!found) throw new CallRefused('unknown_id', 'user_ext_id: no employee has this external id');
      return answered({ features: found.map(({ value, isAbnormal }) => ({ value, is_abnormal: isAbnormal })) });
    },
  }),
];

/** Of RFC 4648, section 4: padded, and neither URL-safe nor with blanks in place of `+`. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/**
 * Without the data-URL prefix and line breaks, which SPEC 4.8 forbids and some callers send; null
 * for what cannot be a feature. A card's number is folded as everywhere; programs call one `base64`
 * that is none.
 */
function plainValue(value: string, type: string, alg: string): string | null {
  const isNumber = type !== 'fa' && type !== 'fp';
  const plain = isNumber ? foldedNumber(value) : value.replace(/^data:[^,]{0,64},/, '').replace(/[\r\n]+/g, '');
  if (plain === '' || plain.length > attendanceLimits.featureValueBytesMax) return null;
  // Base64 in a form whose + became a blank, whatever its algorithm is called.
  if (!isNumber && /\s/.test(plain)) return null;
  if (alg.toLowerCase() !== 'base64') return plain;
  return (isNumber ? /^[A-Za-z0-9+/_-]+={0,2}$/.test(plain) : isBase64(plain)) ? plain : null;
}
