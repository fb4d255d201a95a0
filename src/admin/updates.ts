import { z } from '@hono/zod-openapi';
import { bundleBytesMax, UpdateRefused, type Updates } from '../updates/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { updateRefusals } from '../words/updates.ts';
import { byCommand, type Call, operation, type Report, type Running, resource } from './operation.ts';
import { refused, saidShape, sentenceShape } from './problem.ts';
import { done } from './shapes.ts';

const kind = z.enum(['image', 'program']);
const bundle = z.object({
  file: z.string(),
  kind,
  compatible: z.string(),
  version: z.string(),
  description: z.string().describe(described('What its maker says about it; may be empty', '制作者的说明；可以为空')),
  refused: z
    .string()
    .nullable()
    .describe(described('Null: it is for this machine. Otherwise why not', 'null：适用于本机。否则为不适用的原因')),
  refused_said: saidShape,
  olderThan: z
    .string()
    .nullable()
    .describe(
      described(
        'The version that runs, where the bundle is older than it; else null. It needs `allow_older`',
        '更新包较旧时，为运行中的版本；否则为 null。需要 `allow_older`',
      ),
    ),
});
const lastUpdate = z.object({
  kind,
  from: z.string().describe(described('Empty where it is not known', '不明时为空')),
  to: z.string(),
  outcome: z
    .enum(['installing', 'installed', 'trying', 'good', 'kept', 'rolled-back', 'failed', 'interrupted'])
    .describe(described('docs/updates.md', '见 docs/updates.md')),
  why: z.string().describe(described('Empty where all went well', '全部成功时为空')),
  ...sentenceShape,
  at: z.number(),
});
const updateReport = z.object({
  impossible: z
    .string()
    .nullable()
    .describe(
      described(
        'Null: this box can be updated. Otherwise why not, and what to do',
        'null：本网关可以更新。否则为不能的原因及处理办法',
      ),
    ),
  impossible_said: saidShape,
  runs: z.object({
    version: z.string(),
    program: z
      .enum(['packaged', 'updated'])
      .describe(described('updated: a program that an update brought runs', 'updated：运行的是更新带来的程序')),
    slot: z
      .string()
      .nullable()
      .describe(
        described(
          'The slot that was booted; null where systems are not updated',
          '启动所用的分区；不更新系统时为 null',
        ),
      ),
    system: z
      .string()
      .describe(described('The version of the system; empty where it is not known', '系统的版本；不明时为空')),
  }),
  other: z
    .object({ kind, version: z.string() })
    .nullable()
    .describe(described('What a rollback would bring back; null: nothing', '回退所恢复的版本；null：没有')),
  progress: z
    .object({ step: z.enum(['backup', 'installing', 'restarting']), percent: z.number(), to: z.string() })
    .nullable()
    .describe(described('Null: nothing is under way', 'null：没有正在进行的')),
  last: lastUpdate.nullable(),
  found: z
    .array(z.object({ file: z.string(), name: z.string(), bytes: z.number() }))
    .describe(
      described('Bundles on sticks, and the one that was sent here last', 'U 盘上的更新包，以及最近上传到这里的'),
    ),
});
export type BundleReport = Report<typeof bundle>;
export type LastUpdate = Report<typeof lastUpdate>;
export type UpdateReport = Report<typeof updateReport>;

const file = z
  .string()
  .startsWith('/')
  .max(1000)
  .openapi({
    description: described(
      'One of `found` of GET /update; on the Unix socket any path',
      'GET /update 的 `found` 之一；通过 Unix 套接字时可为任意路径',
    ),
  });
const failures = {
  409: described(
    'Not at the moment: another update is under way, or there is nothing to go back to',
    '现在不能：另一次更新正在进行，或没有可回退的版本',
  ),
  422: described('The bundle is refused', '更新包不被接受'),
  507: described('There is no room for it', '空间不足'),
};

const updateOperations = {
  report: operation({
    method: 'get',
    path: '/update',
    role: 'viewer',
    summary: described(
      'What runs, what a rollback would bring back, what is under way, and how the last update went',
      '正在运行的版本、可退回的版本、进行中的升级、上次升级的结果',
    ),
    returns: described('The report', '报告'),
    answer: updateReport,
  }),
  inspect: operation({
    method: 'post',
    path: '/update/inspect',
    role: 'admin',
    audited: described('viewed an update', '查看升级文件'),
    summary: described(
      'What a bundle on the box or on a stick of it is; nothing is installed',
      '查看网关或 U 盘上升级文件的信息，不安装',
    ),
    body: z.object({ file }),
    returns: described('The bundle', '更新包'),
    answer: bundle,
    failures,
  }),
  start: operation({
    method: 'post',
    path: '/update',
    role: 'admin',
    audited: described('installed an update', '安装升级'),
    summary: described(
      'Makes a backup, installs a bundle and restarts; answers as soon as it is begun',
      '备份后安装升级并重新启动；开始后即应答',
    ),
    body: z.object({
      file,
      allow_older: z
        .boolean()
        .default(false)
        .openapi({
          description: described('Installs it though it is older than what runs', '即使比运行中的版本旧也安装'),
        }),
    }),
    returns: described('The bundle', '更新包'),
    answer: bundle,
    failures,
  }),
  rollBack: operation({
    method: 'post',
    path: '/update/rollback',
    role: 'admin',
    audited: described('rolled back an update', '退回升级前的版本'),
    summary: described('Brings back what ran before the last update, and restarts', '退回上次升级前的版本并重新启动'),
    returns: described('Begun', '已开始'),
    answer: done,
    failures,
  }),
};
/** Updating a box that runs; docs/updates.md. */
type UpdateAdmin = Running<typeof updateOperations>;

/** For browsers: the commands name a file on the box. */
export const uploadOperations = {
  upload: operation({
    method: 'put',
    path: '/update/bundle',
    role: 'admin',
    audited: described('sent an update', '发送升级文件'),
    summary: described(
      'Sends a bundle to the box, which says what it is; nothing is installed',
      '把升级文件发给网关并返回其信息，不安装',
    ),
    upload: { bytesMax: bundleBytesMax, type: 'application/octet-stream', word: 'update_too_big' },
    returns: described('The bundle', '更新包'),
    answer: bundle,
    failures,
  }),
};

const updateAdmin = (updates: Updates): UpdateAdmin => ({
  report: () => updates.report(),
  async inspect({ file: path }, call = byCommand) {
    call.subject(path);
    await refuseUnlisted(call, updates, path);
    return asRefusal(updates.inspect(path));
  },
  async start({ file: path, allow_older: allowOlder }, call = byCommand) {
    call.subject(path);
    await refuseUnlisted(call, updates, path);
    const begun = await asRefusal(updates.start(path, { allowOlder }));
    const { kind: of, version, olderThan: than } = begun;
    call.subject(
      than === null
        ? auditSubjects.say('update', { of, version })
        : auditSubjects.say('update_to_older', { of, version, than }),
    );
    return begun;
  },
  async rollBack() {
    await asRefusal(updates.rollBack());
    return { done: true };
  },
});

/** Straight to the disk: a bundle is larger than what memory there is. */
export const uploads = ({
  updates,
}: {
  readonly updates: Pick<Updates, 'receive'>;
}): Running<typeof uploadOperations> => ({
  async upload(_ = {}, call = byCommand) {
    const { bytes = Number.NaN, stream = null } = call.upload ?? {};
    if (!(bytes > 0) || !stream) throw refused(400, 'Bad request', 'send the bundle as the body, with its length');
    const received = await asRefusal(updates.receive(bytes, stream));
    call.subject(auditSubjects.say('update', { of: received.kind, version: received.version }));
    return received;
  },
});

const statusOf: Readonly<Record<string, number>> = {
  busy: 409,
  on_trial: 409,
  no_updates: 409,
  no_rollback: 409,
  nothing_before: 409,
  no_room: 507,
};

const asRefusal = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch(error => {
    if (!(error instanceof UpdateRefused)) throw error;
    throw refused(statusOf[error.code] ?? 422, `update_${error.code}`, error.said);
  });

/**
 * Over the network a caller names a bundle that the box has found itself; a path of his own would
 * tell him what files there are.
 */
async function refuseUnlisted(call: Call, updates: Updates, path: string): Promise<void> {
  if (call.caller.via === 'socket') return;
  if ((await updates.report()).found.some(one => one.file === path)) return;
  throw refused(422, 'update_unknown_file', updateRefusals.say('update_unknown_file', { file: path }));
}

export const updatesResource = resource(updateOperations, ({ updates }: { readonly updates: Updates }) =>
  updateAdmin(updates),
);
