import { z } from '@hono/zod-openapi';
import { described } from '../words/described.ts';
import { lineDrill } from './line-drill.ts';
import { terminalDrill } from './terminal-drill.ts';

const device = z
  .object({
    device: z
      .string()
      .describe(described('Such as mmcblk0; empty: the system names no disk', '例如 mmcblk0；空：系统没有给出磁盘')),
    name: z.string(),
    serial: z.string(),
    cid: z.string().describe(described('Of an SD card or eMMC', 'SD 卡或 eMMC 的')),
    bytes: z.number().nullable(),
  })
  .describe(
    described(
      'The disk below the data directory; empty is what it does not say',
      '数据目录所在的磁盘；未提供的内容为空',
    ),
  );

export const cutFound = z.object({
  cut: z.number(),
  seen: z.number().describe(described('The last number that somebody saw before the cut', '断电前最后看到的编号')),
  found: z.number().describe(described('The highest that is on the disk', '磁盘上最大的编号')),
  missing: z
    .number()
    .describe(
      described('Numbers whose sync had returned and that are not on the disk', '已报告落盘、但磁盘上没有的编号数'),
    ),
  first_missing: z.number().nullable(),
});

export const cardResult = z.object({
  kind: z.literal('card'),
  id: z.string(),
  begun_at: z.number(),
  ended_at: z.number(),
  outcome: z
    .enum(['passed', 'failed', 'stopped', 'expired', 'broken'])
    .describe(
      described(
        'failed: the card acknowledges what it has not written; broken: it could not be written; expired: nobody went on with it',
        'failed：存储卡未写入就报告已写入；broken：无法写入；expired：无人继续',
      ),
    ),
  why: z.string().describe(described('Of a disk that could not be written: the error', '磁盘无法写入时的错误')),
  device,
  cuts: z.array(cutFound),
  speed: z
    .object({
      sync_p50_ms: z.number(),
      sync_p99_ms: z.number(),
      syncs_per_second: z
        .number()
        .describe(described('Of 4 KiB at random places, one after the other', '在随机位置逐次写入 4 KiB')),
      megabytes_per_second: z
        .number()
        .describe(described('Of one long write, in 10^6 bytes', '一次连续写入，单位为 10^6 字节')),
    })
    .nullable(),
  allows: z
    .object({
      records_alone: z.number().describe(described('A second, each with a commit of its own', '每秒，各自单独提交')),
      records_together: z.number().describe(described('A second, where many share a commit', '每秒，多条一起提交')),
      terminals: z
        .number()
        .describe(described('At which somebody punches every two seconds', '每两秒打卡一次的终端数')),
      years: z
        .number()
        .describe(
          described(
            'Until storage.endurance_tb are written; at most 100',
            '写满 storage.endurance_tb 的年数，最多 100',
          ),
        ),
      bytes_per_day: z.number(),
      is_measured: z
        .boolean()
        .describe(described('False: the bytes of a day are assumed', 'false：每天的写入量为估算')),
    })
    .nullable(),
});

const card = z.object({
  id: z.string(),
  begun_at: z.number(),
  step: z.enum(['measuring', 'counting', 'proving']),
  cut: z.number().describe(described('Which one is prepared or proved', '正在准备或核对第几次')),
  cuts: z.number().describe(described('How many there are', '总次数')),
  written: z
    .number()
    .describe(
      described(
        'The last number on the disk; while proving the highest that was found',
        '磁盘上最后的编号；核对时为找到的最大编号',
      ),
    ),
  pull_from: z.number().describe(described('From this number on the plug may be pulled', '从该编号起可以拔掉电源')),
  found: z.array(cutFound).describe(described('Of the cuts before', '之前各次断电的结果')),
  device,
});

export const report = z.object({
  card: card.nullable().describe(described('The drill that is under way', '正在进行的演练')),
  results: z.array(cardResult).describe(described('Newest first', '最新的在前')),
  line: lineDrill,
  terminals: terminalDrill,
  sent_up: z
    .array(
      z.object({
        id: z.string().describe(described('Of the drill', '演练编号')),
        at: z.number(),
        refused: z
          .string()
          .describe(described('Why it was refused above; empty: it was taken', '上级拒收的原因；空表示已接收')),
      }),
    )
    .nullable()
    .describe(
      described(
        'The results that went to the cloud or the box above, as logs of this box; null: it has no session of its own, and they stay here',
        '已作为本网关的日志上传到云平台或上级网关的结果；null：本网关没有自己的会话，结果留在本机',
      ),
    ),
});

export const numberLine = z.union([
  z.object({ cut: z.number(), written: z.number() }),
  z.object({ done: z.literal(true) }),
]);
