import { z } from '@hono/zod-openapi';
import { described } from '../words/described.ts';
import { clockShape } from './clock.ts';
import { erasure } from './erasures.ts';
import { missingAtCloud } from './missing-at-cloud.ts';
import { saidShape, sentenceShape } from './problem.ts';
import { refusedCallShape } from './shapes.ts';

/** How fresh the copy of the cloud's organization and records is, and why it is no fresher. */
export const mirrorReport = z.object({
  state: z
    .enum(['never', 'up', 'down', 'refused'])
    .describe(described('never: nothing fetched since the start', 'never：启动以来尚未取得数据')),
  why: z.string(),
  ...sentenceShape,
  mirrored_at: z.number().nullable(),
  next_try_at: z.number().nullable(),
  hidden: z
    .number()
    .describe(
      described(
        'People and departments that the lists of the cloud lack; deleted after 24 hours of whole lists',
        '云平台列表中已没有的人员和部门数；完整列表持续 24 小时都没有时才删除',
      ),
    ),
  held: z
    .number()
    .describe(
      described(
        'Missing there, so many at once that they are kept until staff deletes them',
        '云平台上同时缺少过多，因而保留到工作人员删除为止的数量',
      ),
    ),
  incomplete: z
    .string()
    .describe(
      described(
        'Which list of the cloud last came in part, and how; empty: all were whole',
        '云平台最近哪个列表不完整、如何不完整；空：全部完整',
      ),
    ),
  incomplete_said: saidShape,
  checkins_at: z
    .number()
    .nullable()
    .describe(described("When the end of the cloud's check-ins was reached last", '最近一次取完云平台打卡的时间')),
  access_at: z
    .number()
    .nullable()
    .describe(
      described("When the end of the cloud's access records was reached last", '最近一次取完云平台通行记录的时间'),
    ),
  features_at: z
    .number()
    .nullable()
    .describe(described("When everybody's features were fetched last", '最近一次取完所有人员特征的时间')),
  records_why: z
    .string()
    .describe(
      described(
        'Why the cloud gives no records, though it gives the organization; else empty',
        '云平台提供组织却不提供记录的原因；否则为空',
      ),
    ),
  records_said: saidShape,
});

const matchSide = z.object({
  id: z.number().describe(described('As callers of the attendance API see it', '与考勤接口调用方所见相同')),
  time: z.number().describe(described('Seconds since 1970', '自 1970 年起的秒数')),
  place: z.string().describe(described('The terminal or the door', '终端或门')),
  check_type: z.string(),
});

const uncertain = z
  .object({
    total: z.number(),
    rows: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        kind: z.enum(['checkin', 'access']),
        ext_id: z.string(),
        name: z.string(),
        site: matchSide,
        cloud: matchSide,
      }),
    ),
  })
  .describe(
    described(
      'A record of the site and one of the cloud that may be the same; callers were given both',
      '站点的一条记录与云平台的一条可能相同；两条都已提供给调用方',
    ),
  );

const fields = z.record(z.string(), z.unknown());

export const attendanceReport = z.object({
  authority: z.enum(['cloud', 'box']).nullable().describe(described('Null on a stopped box', '网关停止时为 null')),
  people: z.number(),
  departments: z.number(),
  initialized_at: z
    .number()
    .nullable()
    .describe(
      described(
        'From when on check-ins are handed out; null before `checkin_query_init`',
        '从何时起提供打卡；调用 `checkin_query_init` 之前为 null',
      ),
    ),
  unresolved: z
    .object({
      records: z.number(),
      people: z.array(
        z.object({
          ext_id: z.string(),
          employee_num: z.string(),
          records: z.number(),
          ambiguous: z.boolean(),
          last_at: z.number(),
        }),
      ),
    })
    .describe(described('Check-ins of people whom the organization does not know', '组织中没有的人员的打卡数')),
  wrong_clocks: z
    .array(z.object({ device_id: z.string(), clock: clockShape }))
    .describe(described('Terminals whose clock is off by more than a minute', '时钟偏差超过一分钟的终端')),
  mirror: mirrorReport.nullable(),
  writes: z.object({
    waiting: z.number(),
    refused: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        subject: z.string(),
        path: z.string(),
        caller: z.string(),
        code: z.number().nullable(),
        reason: z.string().nullable(),
      }),
    ),
  }),
  conflicts: z.array(
    z.object({ id: z.number(), at: z.number(), subject: z.string(), cloud: fields.nullable(), box: fields }),
  ),
  uncertain_matches: uncertain,
  missing: missingAtCloud,
  erasures: z.array(erasure),
  refused_calls: z
    .array(z.object({ ...refusedCallShape, app_key: z.string() }))
    .describe(
      described(
        'The last calls of the attendance API that were refused, newest first',
        '考勤接口最近被拒绝的调用，最新的在前',
      ),
    ),
});
