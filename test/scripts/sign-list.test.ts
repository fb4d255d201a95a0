import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeChecksums } from '../../scripts/checksums.ts';
import { signList } from '../../scripts/sign-list.ts';
import { signingKeys } from '../../scripts/signing-keys.ts';
import { shell } from '../support/shell.ts';
import { suiteNeeding } from '../support/tools.ts';

/** A stranger verifies a release with the commands of docs/release.md, as they stand there. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const updateKeys = (folder: string) =>
  execFileSync(join(root, 'bin/node'), [join(root, 'scripts/update-keys.ts'), folder]);

suiteNeeding('openssl', 'openssl', 'the signed list of a release', () => {
  let keys: string;
  let folder: string;
  let commands: string;

  beforeAll(async () => {
    keys = await mkdtemp(join(tmpdir(), 'gatehouse-release-keys-'));
    for (const name of ['ours', 'theirs']) updateKeys(join(keys, name));
    const page = await readFile(join(root, 'docs/release.md'), 'utf8');
    commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('');
  });
  afterAll(() => rm(keys, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = join(keys, 'release');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await writeFile(join(folder, 'program'), 'of this release');
    await writeFile(join(folder, 'package.deb'), 'of this release too');
    await writeChecksums(folder);
    await signList(signingKeys({ keys: join(keys, 'ours') }), folder);
  });
  const verified = () => shell(commands, folder);

  test('is verified with openssl, and so is each file that was downloaded', async () => {
    await rm(join(folder, 'package.deb'));
    const { status, said } = await verified();
    expect({ status, said }).toMatchObject({
      status: 0,
      said: expect.stringContaining('subject=CN = Gatehouse updates\n'),
    });
    expect(said).toMatch(/^CMS Verification successful$/m);
    expect(said).toMatch(/^program: OK$/m);
    expect(said).not.toContain('package.deb');
  });

  test('a file that was changed is found', async () => {
    await appendFile(join(folder, 'program'), '!');
    const { status, said } = await verified();
    expect(status).not.toBe(0);
    expect(said).toMatch(/^program: FAILED$/m);
  });

  test('a list that was made to fit the changed file is found', async () => {
    await appendFile(join(folder, 'program'), '!');
    const signature = await readFile(join(folder, 'SHA256SUMS.sig'));
    for (const name of ['SHA256SUMS.sig', 'keyring.pem']) await rm(join(folder, name));
    await writeChecksums(folder);
    await writeFile(join(folder, 'SHA256SUMS.sig'), signature);
    await writeFile(join(folder, 'keyring.pem'), await readFile(join(keys, 'ours/keyring.pem')));
    const { status, said } = await verified();
    expect(status).not.toBe(0);
    expect(said).toContain('CMS Verification failure');
  });

  test('the signature of somebody else is found', async () => {
    await signList(signingKeys({ keys: join(keys, 'theirs') }), folder);
    await writeFile(join(folder, 'keyring.pem'), await readFile(join(keys, 'ours/keyring.pem')));
    const { status, said } = await verified();
    expect(status).not.toBe(0);
    expect(said).toContain('CMS Verification failure');
  });

  test('the same list has the same signature', async () => {
    const signature = await readFile(join(folder, 'SHA256SUMS.sig'));
    await signList(signingKeys({ keys: join(keys, 'ours') }), folder);
    expect((await readFile(join(folder, 'SHA256SUMS.sig'))).equals(signature)).toBe(true);
  });

  test('keys that are not there are named, with the command that makes some', () => {
    expect(() => signingKeys({ keys: '/nowhere' })).toThrow('/nowhere/signer.key is not there: npm run update-keys');
  });

  test('a key that does not belong to the keyring signs nothing', async () => {
    const mixed = { ...signingKeys({ keys: join(keys, 'theirs') }), keyring: join(keys, 'ours/keyring.pem') };
    await expect(signList(mixed, folder)).rejects.toThrow('CMS Verification failure');
  });
});
