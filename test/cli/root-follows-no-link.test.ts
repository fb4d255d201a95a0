import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';

/** Root runs commands on the data directory of another user, who may have put anything there. */

const service = 65_534;

/** A stopped box whose data directory and files belong to the service; its folder is root's. */
async function aStoppedBox(): Promise<LocalBox> {
  const box = await aBox();
  await box.stop();
  chownSync(box.folder, 0, 0);
  for (const entry of readdirSync(box.dataDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(box.dataDir, entry), service, service);
  chownSync(box.dataDir, service, service);
  // The folder of the test is root's alone; the service needs the way to its directory.
  chmodSync(box.folder, 0o755);
  return box;
}

const ownersIn = (box: LocalBox) =>
  readdirSync(box.dataDir, { recursive: true, encoding: 'utf8' }).filter(
    entry => statSync(join(box.dataDir, entry), { throwIfNoEntry: false })?.uid === 0,
  );

const commands: readonly (readonly [string, readonly string[], string])[] = [
  ['user add', ['user', 'add', 'mei', '--role', 'admin'], 'nobody-guesses-this\n'],
  ['apply', ['apply', 'site.yaml'], ''],
  ['token create', ['token', 'create', '--role', 'viewer'], ''],
];

test.runIf(process.geteuid?.() === 0).each(commands)(
  'root runs %s on a stopped box: no link is followed, and no file of root stays',
  async (_name, args, input) => {
    await using box = await aStoppedBox();
    const precious = join(box.folder, 'precious');
    writeFileSync(precious, 'of root', { mode: 0o600 });
    const made = join(box.folder, 'made');
    rmSync(join(box.dataDir, 'owner.pid'), { force: true });
    for (const target of [precious, made]) {
      symlinkSync(target, join(box.dataDir, 'owner.pid'));
      lchownSync(join(box.dataDir, 'owner.pid'), service, service);
      const outcome = await box.runWith({ input }, ...args);
      expect(outcome.status).not.toBe(0);
      expect(readFileSync(precious, 'utf8')).toBe('of root');
      expect(readdirSync(box.folder)).not.toContain('made');
      rmSync(join(box.dataDir, 'owner.pid'));
    }
    expect(await box.runWith({ input }, ...args)).toMatchObject({ status: 0 });
    expect(ownersIn(box)).toEqual([]);
    expect(process.geteuid!()).toBe(0);
  },
);

test.runIf(process.geteuid?.() === 0)('what root exports from a stopped box is a file of root', async () => {
  await using box = await aStoppedBox();
  const out = join(box.folder, 'site-out.yaml');
  await box.ask('export', '--what', 'site', '--out', out);
  expect(statSync(out).uid).toBe(0);
  expect(ownersIn(box)).toEqual([]);
});

test.runIf(process.geteuid?.() === 0)('root shows no file of root as the certificate of the box', async () => {
  await using box = await aStoppedBox();
  const precious = join(box.folder, 'precious');
  writeFileSync(precious, 'of root', { mode: 0o600 });
  rmSync(join(box.dataDir, 'tls'), { recursive: true, force: true });
  mkdirSync(join(box.dataDir, 'tls'));
  symlinkSync(precious, join(box.dataDir, 'tls', 'ca.pem'));
  const outcome = await box.run('trust', 'export');
  expect(outcome).toMatchObject({ status: 1 });
  expect(outcome.stdout).not.toContain('of root');
});
