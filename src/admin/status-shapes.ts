import { z } from '@hono/zod-openapi';
import type { DeviceState } from '../platform/device-state.ts';
import { described } from '../words/described.ts';
import { mirrorReport } from './attendance-shapes.ts';
import { roomShape } from './disk.ts';
import { line, outbox } from './line-report.ts';
import { reasonShape, sentenceShape } from './problem.ts';
import { standingList } from './standing.ts';
import { statementHead } from './statements.ts';
import { unreadableDevices } from './unreadable.ts';
import { wear } from './wear-report.ts';

export const loginRefusal = z.object({
  at: z.number(),
  first_at: z.number(),
  count: z.number(),
  door: z.string(),
  client_id: z.string(),
  address: z.string(),
  code: z.string(),
  detail: z
    .string()
    .describe(
      described(
        'What was refused, such as the name of a topic; never a secret',
        '被拒绝的内容，例如主题的名称；不含密钥',
      ),
    ),
  message: z.string().describe(described('One sentence: what, why, and what to do', '一句话：什么、为什么、怎么办')),
});

const deviceStateCounts = z
  .object({
    online: z.number(),
    held_back: z.number(),
    refused: z.number().describe(described('Known devices that are refused', '被拒绝的已登记设备')),
    elsewhere: z
      .number()
      .describe(
        described(
          'Behind a box below, which alone knows whether they are there',
          '在下级网关之后，只有该网关知道其是否在线',
        ),
      ),
    silent: z.number().describe(described('Were here once, and are not connected', '曾经连接，现在没有')),
    never: z.number().describe(described('Have never been here', '从未连接过')),
    blocked: z.number(),
  } satisfies Record<DeviceState, z.ZodNumber>)
  .describe(
    described(
      'Each known device is in one state. On a stopped box none is online',
      '每台已登记的设备处于一种状态。网关停止时没有在线的',
    ),
  );

/** CONTRACT 7, `status --json`; times in milliseconds since 1970. */
export const boxStatus = z.object({
  running: z.boolean(),
  version: z.string(),
  timezone: z
    .string()
    .describe(described('The time zone of the site, such as Asia/Shanghai', '站点的时区，例如 Asia/Shanghai')),
  standing: standingList,
  line,
  outbox,
  mirror: mirrorReport
    .nullable()
    .describe(
      described(
        'Null where the box is the authority of its organization, or is stopped',
        '由网关维护组织，或网关停止时为 null',
      ),
    ),
  devices: z.object({
    known: z.number(),
    online: z.number(),
    refused: z
      .number()
      .describe(
        described(
          'Device ids, known or not, that were refused within the last day and not let in since',
          '最近一天内被拒绝且尚未接入的设备 ID，无论是否登记',
        ),
      ),
    held_back: z
      .number()
      .describe(
        described(
          'Away because the box takes nothing at the moment, or did not until a quarter of an hour ago',
          '因网关暂不接收而离线，或一刻钟前如此',
        ),
      ),
    states: deviceStateCounts,
    people_data_waits: z
      .number()
      .describe(described("They wait for approval to receive people's data", '等待批准接收人员数据')),
    unreadable: unreadableDevices,
  }),
  disk: z.object({
    used_bytes: z.number(),
    free_bytes: z.number(),
    ...roomShape,
    state: z.string().describe(described('ok, or why nothing is acknowledged at the moment', 'ok，或目前不应答的原因')),
    why: z.string(),
    ...sentenceShape,
    flush_ms: z
      .number()
      .nullable()
      .describe(
        described(
          'From a small write until it is on disk, as measured at the first start; null: not measured',
          '一次小写入到落盘的时间，首次启动时测量；null：未测量',
        ),
      ),
    dropped: z
      .record(z.string(), z.number())
      .describe(described('Dropped by the disk-full policy, by reason', '因磁盘已满而删除的，按原因')),
    unreadable: z
      .object({
        segments: z.number().describe(described('Places of the journal', '流水中无法读取的位置数')),
        records: z.number().describe(described('Records in them, at most', '其中的记录数（上限）')),
        from: z
          .number()
          .nullable()
          .describe(
            described('When the first of them was received; null: not known', '其中第一条的接收时间；null：不清楚'),
          ),
        to: z
          .number()
          .nullable()
          .describe(
            described('When the last of them was received; null: not known', '其中最后一条的接收时间；null：不清楚'),
          ),
        log_blocks: z.number().describe(described('Blocks of logs', '无法读取的日志块数')),
        tables: z
          .string()
          .describe(
            described(
              'Why the tables cannot be filled from the journal; empty: they can',
              '数据表无法由流水填写的原因；空：可以填写',
            ),
          ),
      })
      .nullable()
      .describe(
        described(
          'What cannot be read from the disk, as far as it was noticed since the start; null: nothing',
          '启动以来发现的、磁盘无法读取的内容；null：没有',
        ),
      ),
    unwritable: z
      .boolean()
      .describe(
        described(
          'The database file cannot be written in places; what is acknowledged is kept in its log, which grows',
          '数据库文件部分位置无法写入；已确认的数据保存在其日志文件中，该文件会不断变大',
        ),
      ),
  }),
  tables: z
    .object({
      behind_records: z
        .number()
        .describe(
          described('Records that were acknowledged and that they do not hold yet', '已应答而数据表尚未含有的记录'),
        ),
      behind_ms: z
        .number()
        .describe(
          described('For how long the oldest of them; 0 on a stopped box', '其中最早的已有多久；网关停止时为 0'),
        ),
      held_back: z
        .boolean()
        .describe(
          described(
            'So far behind that devices are not read until they have come nearer',
            '落后太多，追上之前不从设备读取',
          ),
        ),
    })
    .describe(described('The tables that are filled from the journal', '由流水填写的数据表')),
  wear: wear.nullable().describe(described('Null on a stopped box', '网关停止时为 null')),
  database: z
    .array(z.object(reasonShape))
    .describe(
      described(
        'What is wrong with the database of a region, a sentence each with what to do; empty on a box',
        '区域的数据库有什么问题：每项一句，附处理办法；单台网关上为空',
      ),
    ),
  warnings: z
    .array(z.object(reasonShape))
    .describe(
      described(
        'What works and should not stay so, a sentence each with what to do; empty on a stopped box',
        '可用但不应长期如此的情况，每条一句并附处理办法；网关停止时为空',
      ),
    ),
  statement: statementHead,
  backup: z
    .object({
      last_at: z
        .number()
        .nullable()
        .describe(described('Null: none was made that the box knows of', 'null：网关没有做过已知的备份')),
      verified_at: z
        .number()
        .nullable()
        .describe(
          described('When a copy was last read back from a target and found good', '最近一次从目标读回检查通过的时间'),
        ),
      restore_tried_at: z
        .number()
        .nullable()
        .describe(
          described('When a restore from a target was last tried, and went well', '最近一次从目标试恢复并成功的时间'),
        ),
      next_at: z
        .number()
        .nullable()
        .describe(described('Null: there is no schedule, or the box is stopped', 'null：没有定时备份，或网关停止')),
      failures: z
        .array(z.string())
        .describe(
          described(
            'Of each target that failed at the last run: why, and what to do',
            '最近一次失败的各目标：原因及处理办法',
          ),
        ),
    })
    .nullable()
    .describe(
      described(
        'Backups; of a stopped box what its store tells. Null in a region, whose database server makes them',
        '备份；网关停止时为存储所记。区域为 null：由其数据库服务器备份',
      ),
    ),
  refusals: z
    .array(loginRefusal)
    .describe(described('The last refused logins, newest first', '最近被拒绝的登录，最新的在前')),
});
