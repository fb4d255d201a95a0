import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BoxAdmin } from '../../src/admin/index.ts';
import { type Box, openBox } from '../../src/box/index.ts';
import { appliedAt, applyTo } from '../../src/cli/apply.ts';
import type { Call } from '../../src/cli/command.ts';
import { stoppedBox } from '../../src/cli/stopped-box.ts';
import { loadConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import type { Store } from '../../src/store/index.ts';
import { freePortsOnly } from '../support/box-config.ts';
import { ask } from '../support/gateway.ts';

// Other tests hand in a light strength; here the box and the commands have their own.

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-strength-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const password = 'three unlikely words';
const siteOf = (name: string) => ({
  site: { users: [{ name, password, role: 'admin' as const }] },
  prune: false,
  dryRun: false,
});

async function aBox(prepare: (admin: Pick<BoxAdmin, 'apply'>) => Promise<unknown> = async () => {}): Promise<Box> {
  const { config } = loadConfig({ env: freePortsOnly, dataDir, cwd: folder });
  // As `gatehouse serve` opens it.
  const world = { clock: realClock, random: realRandom, log: silentLog };
  return openBox(config, world, async admin => void (await prepare(admin)));
}

const aCall = (): Call => ({
  ...{ command: { name: 'apply', does: '', load: () => Promise.reject(new Error('not run')) }, arguments: [] },
  ...{ options: { 'data-dir': dataDir }, env: {}, cwd: folder, print: async () => {}, tell() {} },
  ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, readInput: () => '' },
});

/** The strength with which the password of each is kept, without salt and hash. */
const strengthsOf = async ({ read }: Pick<Store, 'read'>) =>
  Object.fromEntries((await read.users()).map(one => [one.name, one.passwordHash?.split('$').slice(0, 4).join('$')]));
const owasp = '$argon2id$v=19$m=19456,t=2,p=1';

test('a box keeps passwords at full strength: of the first account, of new people and of a site file', async () => {
  await using box = await aBox();
  const made = await ask(`https://${box.addresses.https}/admin/v1/first-account`, {
    ca: box.caPem,
    headers: { origin: `https://${box.addresses.https}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'first', password, code: await box.accounts.setupCode() }),
  });
  expect(made.status).toBe(200);
  await box.admin.users.put({ name: 'put', role: 'viewer', password });
  expect(await box.admin.apply(siteOf('applied'))).toMatchObject({ ok: true });
  expect(await strengthsOf(box.store)).toEqual({ first: owasp, put: owasp, applied: owasp });
});

test('the site file of a start and the commands on a stopped box keep passwords at full strength too', async () => {
  const call = aCall();
  expect(await applyTo(call, siteOf('before the first start'))).toMatchObject({ ok: true });
  {
    await using stopped = await stoppedBox(call, dataDir);
    await stopped.put('/users/{name}', { name: 'put', role: 'viewer', password });
    expect(await appliedAt(stopped, siteOf('applied'))).toMatchObject({ ok: true });
  }
  await using box = await aBox(async admin =>
    expect(await admin.apply(siteOf('at the start'))).toMatchObject({ ok: true }),
  );
  const all = { 'before the first start': owasp, put: owasp, applied: owasp, 'at the start': owasp };
  expect(await strengthsOf(box.store)).toEqual(all);
});
