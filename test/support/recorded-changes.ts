import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

/** A place in a file, and the text that stands there afterwards. */
interface Edit {
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly anchor: string;
  readonly becomes: string;
}

/** A change of CONTRIBUTING.md, "Ten changes", as somebody would make it by hand. */
export interface RecordedChange {
  /** Files that are new, by their path from the root. */
  readonly added?: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
  /** Makes the generated files anew; that of the last change also runs what guards them all. */
  readonly command: readonly string[];
  /** Edits that CONTRIBUTING.md does not count: the tests of its part. */
  readonly besides?: readonly Edit[];
  /** All files that it touches, in order; what `npm run migrations` writes is one, `a migration`. */
  readonly touches: readonly string[];
}

const after = (file: string, anchor: string, line: string): Edit => ({ file, anchor, becomes: `${anchor}\n${line}` });
const replaced = (file: string, anchor: string, becomes: string): Edit => ({ file, anchor, becomes });

const webhooks = 'src/store/domains/webhooks.ts';

/** When the receiver of a webhook took its last events: `webhook_place.taken_at`. */
export const aColumn: RecordedChange = {
  edits: [
    after(webhooks, '    seq: integer().notNull(),', "    takenAt: integer('taken_at'),"),
    replaced(webhooks, '{ name, kind, seq }: WebhookPlace', '{ name, kind, seq, takenAt }: WebhookPlace'),
    replaced(webhooks, '(name, kind, seq) VALUES (?, ?, ?)', '(name, kind, seq, taken_at) VALUES (?, ?, ?, ?)'),
    replaced(webhooks, 'SET seq = excluded.seq', 'SET seq = excluded.seq, taken_at = excluded.taken_at'),
    replaced(webhooks, '[name, kind, seq] as const', '[name, kind, seq, takenAt] as const'),
    replaced(
      'src/events/webhooks/hook.ts',
      'kind: message.kind, seq: message.through }',
      'kind: message.kind, seq: message.through, takenAt: clock.now() }',
    ),
    replaced('src/events/webhooks/running.ts', 'kind, seq: newest[kind] }', 'kind, seq: newest[kind], takenAt: null }'),
  ],
  command: ['scripts/migrations.ts'],
  besides: [
    replaced(
      'test/store/writes/webhooks.cases.ts',
      "kind: 'access', seq: 9 }",
      "kind: 'access', seq: 9, takenAt: null }",
    ),
    replaced('test/store/writes/webhooks.cases.ts', "kind: 'logs', seq: 7 }", "kind: 'logs', seq: 7, takenAt: 8 }"),
    replaced(
      'test/store/writes/webhooks.cases.ts',
      "putWebhookPlace({ name: 'payroll', kind: 'checkins', seq })",
      "putWebhookPlace({ name: 'payroll', kind: 'checkins', seq, takenAt: null })",
    ),
    replaced(
      'test/store/writes/webhooks.cases.ts',
      "kind: 'checkins', seq: 5 }",
      "kind: 'checkins', seq: 5, takenAt: null }",
    ),
  ],
  touches: ['a migration', 'src/events/webhooks/hook.ts', 'src/events/webhooks/running.ts', webhooks],
};

/** How many devices may log in at once from one address: `admission.unauthenticated_per_address`. */
export const aConfigKey: RecordedChange = {
  edits: [
    after(
      'src/config/limits-schema.ts',
      'export const admission = z.strictObject({',
      "  unauthenticated_per_address: bound(256, 1, 4096, 'Connections from one address that have not logged in yet'),",
    ),
    replaced(
      'src/box/intakes.ts',
      `/**
 * After a power cut all terminals behind one address reconnect at once; each logs in within a
 * second or two.
 */
const unauthenticatedPerAddress = 256;

`,
      '',
    ),
    replaced(
      'src/box/intakes.ts',
      'ofOneAddress: unauthenticatedPerAddress',
      'ofOneAddress: config.admission.unauthenticated_per_address',
    ),
  ],
  command: ['scripts/config-reference.ts'],
  touches: ['docs/config.md', 'src/box/intakes.ts', 'src/config/limits-schema.ts'],
};

const uptime = `import { z } from '@hono/zod-openapi';
import type { Clock } from '../runtime/clock.ts';
import { described } from '../words/described.ts';
import { operation, resource } from './operation.ts';

const uptimeOperations = {
  report: operation({
    method: 'get',
    path: '/uptime',
    role: 'viewer',
    summary: described('Since when the box runs', '网关何时启动'),
    returns: described('When the box was started', '网关启动的时刻'),
    answer: z.object({ since: z.number() }),
  }),
};

export const uptimeResource = resource(uptimeOperations, ({ clock }: { readonly clock: Clock }) => {
  const since = clock.now();
  return { report: async () => ({ since }) };
});
`;

/** When the box was started: `GET /uptime`. */
export const aResource: RecordedChange = {
  added: { 'src/admin/uptime.ts': uptime },
  edits: [
    after(
      'src/admin/resources.ts',
      "import { updatesResource } from './updates.ts';",
      "import { uptimeResource } from './uptime.ts';",
    ),
    after('src/admin/resources.ts', '  updates: updatesResource,', '  uptime: uptimeResource,'),
    after(
      'test/security/matrix.ts',
      "    'GET /admin/v1/disk': '- - + + + - - - -',",
      "    'GET /admin/v1/uptime': '- - + + + - - - -',",
    ),
    after(
      'test/security/matrix.ts',
      "    'GET /admin/v1/disk': '+ + + + + + + + +',",
      "    'GET /admin/v1/uptime': '+ + + + + + + + +',",
    ),
  ],
  command: [
    ...['node_modules/vitest/vitest.mjs', 'run', '--project', 'parts'],
    ...['test/admin/openapi', 'test/security/matrix.test.ts', 'test/house.test.ts'],
    ...['test/config/reference.test.ts', 'test/store/writes/'],
    // Renews the golden file of the API, as one does by hand; no other of these has snapshots.
    '-u',
  ],
  touches: [
    'src/admin/resources.ts',
    'src/admin/uptime.ts',
    'test/admin/openapi.golden.json',
    'test/security/matrix.ts',
  ],
};

/** Throws with the file and the anchor if the code has moved on since the change was recorded. */
export function makeBy(copy: string, { added = {}, edits, besides = [] }: RecordedChange): void {
  for (const [file, text] of Object.entries(added)) writeFileSync(join(copy, file), text);
  for (const { file, anchor, becomes } of [...edits, ...besides]) {
    const parts = readFileSync(join(copy, file), 'utf8').split(anchor);
    if (parts.length !== 2)
      throw new Error(
        `${file} has this ${parts.length - 1} times and not once; record the change anew in test/support/recorded-changes.ts:\n${anchor}`,
      );
    writeFileSync(join(copy, file), parts.join(becomes));
  }
}

const left = new Set(['node_modules', 'dist', '.git', 'gatehouse-data', 'update-keys', 'pictures']);

/** Copies the tree below `root` into `copy`, with a link to its packages and what `tsc` knows of it. */
export function copyTree(root: string, copy: string): void {
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  const packages = realpathSync(join(root, 'node_modules'));
  mkdirSync(join(copy, 'node_modules'));
  // Its own cache: processes of the run outside write into theirs all the time.
  for (const name of readdirSync(packages))
    if (name !== '.cache') symlinkSync(join(packages, name), join(copy, 'node_modules', name));
  // Nothing where types were not checked yet: the check in the copy takes longer then.
  if (!existsSync(join(root, typesFolder))) return;
  mkdirSync(join(copy, typesFolder), { recursive: true });
  for (const name of readdirSync(join(root, typesFolder))) {
    // Paths in it are relative to it, and what they lead to is known by its content.
    const pathFrom = (tree: string) => `"${relative(join(tree, typesFolder), packages)}/`;
    const known = readFileSync(join(root, typesFolder, name), 'utf8');
    writeFileSync(join(copy, typesFolder, name), known.replaceAll(pathFrom(root), pathFrom(copy)));
  }
}

const typesFolder = 'dist/.types';
