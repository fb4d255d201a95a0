import { z } from '@hono/zod-openapi';
import { bundleBytesMax, UpdateRefused, type Updates } from '../updates/index.ts';
import { byCommand, type Call, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';

const kind = z.enum(['image', 'program']);
const bundle = z.object({
  file: z.string(),
  kind,
  compatible: z.string(),
  version: z.string(),
  description: z.string().describe('What its maker says about it; may be empty'),
  refused: z.string().nullable().describe('Null: it is for this machine. Otherwise why not'),
  olderThan: z
    .string()
    .nullable()
    .describe('The version that runs, where the bundle is older than it; else null. It needs `allow_older`'),
});
const lastUpdate = z.object({
  kind,
  from: z.string().describe('Empty where it is not known'),
  to: z.string(),
  outcome: z
    .enum(['installing', 'installed', 'trying', 'good', 'kept', 'rolled-back', 'failed', 'interrupted'])
    .describe('docs/updates.md'),
  why: z.string().describe('Empty where all went well'),
  at: z.number(),
});
const updateReport = z.object({
  impossible: z.string().nullable().describe('Null: this box can be updated. Otherwise why not, and what to do'),
  runs: z.object({
    version: z.string(),
    program: z.enum(['packaged', 'updated']).describe('updated: a program that an update brought runs'),
    slot: z.string().nullable().describe('The slot that was booted; null where systems are not updated'),
    system: z.string().describe('The version of the system; empty where it is not known'),
  }),
  other: z.object({ kind, version: z.string() }).nullable().describe('What a rollback would bring back; null: nothing'),
  progress: z
    .object({ step: z.enum(['backup', 'installing', 'restarting']), percent: z.number(), to: z.string() })
    .nullable()
    .describe('Null: nothing is under way'),
  last: lastUpdate.nullable(),
  found: z
    .array(z.object({ file: z.string(), name: z.string(), bytes: z.number() }))
    .describe('Bundles on sticks, and the one that was sent here last'),
});
export type BundleReport = Report<typeof bundle>;
export type LastUpdate = Report<typeof lastUpdate>;
export type UpdateReport = Report<typeof updateReport>;

const file = z
  .string()
  .startsWith('/')
  .max(1000)
  .openapi({ description: 'One of `found` of GET /update; on the Unix socket any path' });
const failures = {
  409: 'Not at the moment: another update is under way, or there is nothing to go back to',
  422: 'The bundle is refused',
  507: 'There is no room for it',
};

const updateOperations = {
  report: operation({
    method: 'get',
    path: '/update',
    role: 'viewer',
    summary: 'What runs, what a rollback would bring back, what is under way, and how the last update went',
    returns: 'The report',
    answer: updateReport,
  }),
  inspect: operation({
    method: 'post',
    path: '/update/inspect',
    role: 'admin',
    summary: 'What a bundle on the box or on a stick of it is; nothing is installed',
    body: z.object({ file }),
    returns: 'The bundle',
    answer: bundle,
    failures,
  }),
  start: operation({
    method: 'post',
    path: '/update',
    role: 'admin',
    summary: 'Makes a backup, installs a bundle and restarts; answers as soon as it is begun',
    body: z.object({
      file,
      allow_older: z.boolean().default(false).openapi({ description: 'Installs it though it is older than what runs' }),
    }),
    returns: 'The bundle',
    answer: bundle,
    failures,
  }),
  rollBack: operation({
    method: 'post',
    path: '/update/rollback',
    role: 'admin',
    summary: 'Brings back what ran before the last update, and restarts',
    returns: 'Begun',
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
    summary: 'Sends a bundle to the box, which says what it is; nothing is installed',
    upload: { bytesMax: bundleBytesMax, type: 'application/octet-stream', word: 'update_too_big' },
    returns: 'The bundle',
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
    const older = begun.olderThan === null ? '' : `, older than ${begun.olderThan}: allowed`;
    call.subject(`${begun.kind} ${begun.version}${older}`);
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
    call.subject(`${received.kind} ${received.version}`);
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
    throw refused(statusOf[error.code] ?? 422, `update_${error.code}`, error.message);
  });

/**
 * Over the network a caller names a bundle that the box has found itself; a path of his own would
 * tell him what files there are.
 */
async function refuseUnlisted(call: Call, updates: Updates, path: string): Promise<void> {
  if (call.caller.via === 'socket') return;
  if ((await updates.report()).found.some(one => one.file === path)) return;
  const reason = 'is none of the bundles that GET /update lists: send it with PUT /update/bundle, or by USB stick';
  throw refused(422, 'update_unknown_file', `${path}: ${reason}`);
}

export const updatesResource = resource(updateOperations, ({ updates }: { readonly updates: Updates }) =>
  updateAdmin(updates),
);
