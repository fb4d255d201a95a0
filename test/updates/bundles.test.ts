import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { suiteNeeding } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = join(root, 'bin/node');
const execute = promisify(execFile);
const script = (name: string, ...args: string[]) => execute(node, [join(root, `scripts/${name}.ts`), ...args]);

suiteNeeding('rauc', 'rauc squashfs-tools', 'bundles of updates', () => {
  test('a bundle of the program says what it is, and is refused by another keyring, or damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bundles-'));
    try {
      const ours = join(folder, 'ours');
      await script('update-keys', ours);
      expect((await stat(join(ours, 'signer.key'))).mode & 0o077).toBe(0);
      const before = await readFile(join(ours, 'keyring.pem'), 'utf8');
      await script('update-keys', ours);
      expect(await readFile(join(ours, 'keyring.pem'), 'utf8')).toBe(before);
      const theirs = join(folder, 'theirs');
      await script('update-keys', theirs);
      const program = join(folder, 'gatehouse');
      await writeFile(program, randomBytes(100_000), { mode: 0o755 });
      const out = join(folder, 'program.raucb');
      const made = ['--from', program, '--version', '0.2.0', '--notes', 'Reads\ncards', '--keys', ours, '--out', out];
      await script('build-update', '--program', 'arm64', ...made);
      const info = (keys: string) => execute('rauc', ['--keyring', join(keys, 'keyring.pem'), 'info', out]);
      const { stdout } = await info(ours);
      expect(stdout).toMatch(/Compatible:\s+'gatehouse-program-arm64'/);
      expect(stdout).toMatch(/Version:\s+'0\.2\.0'/);
      expect(stdout).toMatch(/Description:\s+'Reads cards'/);
      expect(stdout).toMatch(/Bundle Format:\s+verity/);
      await expect(info(theirs)).rejects.toThrow(/signature verification failed/i);
      const { size } = await stat(out);
      await using file = await open(out, 'r+');
      await file.write(Buffer.from('damage'), 0, 6, size - 400);
      await expect(info(ours)).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('two bundles of one program and one key are the same bytes, whatever the times of its files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bundles-'));
    try {
      for (const keys of ['ours', 'theirs']) await script('update-keys', join(folder, keys));
      const program = join(folder, 'gatehouse');
      await writeFile(program, randomBytes(1_000_000));
      const made = async (name: string, moment: number, keys: string) => {
        await utimes(program, moment, moment);
        const options = ['--from', program, '--keys', join(folder, keys), '--out', join(folder, name)];
        await script('build-update', '--program', 'x64', ...options);
        return readFile(join(folder, name));
      };
      const first = await made('first.raucb', 1_700_000_000, 'ours');
      expect((await made('second.raucb', 1_800_000_000, 'ours')).equals(first)).toBe(true);

      // With other keys, the same but for the signature, by the commands of the page.
      expect((await made('third.raucb', 1_700_000_000, 'theirs')).equals(first)).toBe(false);
      const page = await readFile(join(root, 'docs/release.md'), 'utf8');
      const command = /^ {4}(n=\$\(tail .*)$/m.exec(page)![1]!;
      const unsigned = async (name: string) =>
        (await execute('bash', ['-c', command.replaceAll('FILE', name)], { cwd: folder })).stdout;
      expect(await unsigned('third.raucb')).toBe(await unsigned('first.raucb'));
      expect(await unsigned('first.raucb')).toMatch(/^[0-9a-f]{64} /);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('RAUC finds a byte that was changed in the content', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bundles-'));
    try {
      await script('update-keys', join(folder, 'keys'));
      const program = join(folder, 'gatehouse');
      const content = randomBytes(1_000_000);
      await writeFile(program, content);
      const out = join(folder, 'program.raucb');
      await script('build-update', '--program', 'x64', '--from', program, '--keys', join(folder, 'keys'), '--out', out);
      const extracted = async (name: string) => {
        await execute('rauc', ['--keyring', join(folder, 'keys/keyring.pem'), 'extract', out, join(folder, name)]);
        return readFile(join(folder, name, 'gatehouse'));
      };
      expect((await extracted('whole')).equals(content)).toBe(true);
      {
        await using file = await open(out, 'r+');
        await file.write(Buffer.from('damage'), 0, 6, 700_000);
      }
      await expect(extracted('damaged')).rejects.toThrow('bundle payload is corrupted');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a bundle of an image holds the root, and the boot partition of boards that have one for each slot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bundles-'));
    try {
      await script('update-keys', join(folder, 'keys'));
      await writeFile(join(folder, 'root.ext4'), randomBytes(50_000));
      const made = async () => {
        const out = join(folder, 'image.raucb');
        const options = ['--from', join(folder, 'root.ext4'), '--keys', join(folder, 'keys'), '--out', out];
        await script('build-update', '--image', 'raspberrypi', ...options);
        return (await execute('rauc', ['--keyring', join(folder, 'keys/keyring.pem'), 'info', out])).stdout;
      };
      const info = await made();
      expect(info).toMatch(/Compatible:\s+'gatehouse-raspberrypi'/);
      expect(info).toMatch(/\[rootfs\][\s\S]*root\.ext4/);
      expect(info).not.toContain('boot.vfat');
      await writeFile(join(folder, 'boot.vfat'), randomBytes(10_000));
      expect(await made()).toMatch(/\[boot\][\s\S]*boot\.vfat/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('what is missing is named with the command that makes it', async () => {
    const failed = async (...args: string[]) =>
      script('build-update', ...args).then(
        () => '',
        error => error.stderr,
      );
    expect(await failed('--image', 'no-board')).toContain('npm run build:image -- no-board');
    expect(await failed('--program', 'arm64', '--from', node, '--keys', '/nowhere')).toContain('npm run update-keys');
    expect(await failed('--program', 'riscv')).toContain('arm64 or x64');
    const onToken = ['--key', 'pkcs11:token=a', '--cert', 'pkcs11:token=a', '--keyring', node];
    expect(await failed('--program', 'arm64', '--from', node, ...onToken)).toContain('only a key may be on a token');
  });
});
