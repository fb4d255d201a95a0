import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { binaryName, buildBinary } from '../../scripts/build-binary.ts';
import type { Outcome } from '../support/command.ts';
import { expectWholeStory } from '../support/demo-story.ts';
import { NotifySocket } from '../support/notify-socket.ts';
import { hasTool, suiteNeeding, suiteWhere } from '../support/tools.ts';

/**
 * The executable for 64-bit ARM, made on this machine and run in an emulator with the libraries of
 * a Debian of that kind.
 */

const emulator = 'qemu-aarch64-static';
const libraries = '/usr/aarch64-linux-gnu';
const packages = 'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross';

const possible =
  hasTool(emulator) && ['libatomic.so.1', 'libstdc++.so.6'].every(one => existsSync(join(libraries, 'lib', one)));
suiteWhere(possible, `needs ${emulator}: apt-get install ${packages}`, 'the executable for arm64', () => {
  let folder: string;
  let emulated: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-arm64-'));
    emulated = ['-L', libraries, join(folder, binaryName('arm64'))];
    await buildBinary(['arm64'], folder);
    return () => rm(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    new Promise<Outcome>(resolve =>
      execFile(emulator, [...emulated, ...args], (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      ),
    );

  test('says what it is', async () => {
    expect(await run('version')).toMatchObject({ status: 0, stdout: expect.stringContaining('linux-arm64') });
  });

  test('tells the whole story of the demo, and nothing is lost in it', async () => {
    expectWholeStory(await run('demo', '--once'));
  });

  suiteNeeding('python3', 'python3', 'under systemd', () => {
    test('tells from its main process, with nothing of systemd installed, that it is ready', async () => {
      await using systemd = await NotifySocket.open();
      const withoutPath = `program=$(command -v ${emulator}); export PATH=/nowhere; exec "$program" "$@"`;
      const box = spawn('sh', ['-c', withoutPath, 'sh', ...emulated, 'serve', '--data-dir', join(folder, 'data')], {
        stdio: 'ignore',
        env: {
          ...process.env,
          NOTIFY_SOCKET: systemd.address,
          GATEHOUSE_LISTEN__MQTTS: '127.0.0.1:0',
          GATEHOUSE_LISTEN__HTTPS: '127.0.0.1:0',
          GATEHOUSE_LISTEN__HTTP: 'off',
          GATEHOUSE_LISTEN__METRICS: 'off',
          GATEHOUSE_PROVISIONING__BLUETOOTH: 'off',
          GATEHOUSE_PROVISIONING__WIFI: 'off',
          GATEHOUSE_PROVISIONING__RESULT_LISTEN: 'off',
        },
      });
      onTestFinished(() => void box.kill('SIGKILL'));
      expect(await systemd.senderOf('READY=1')).toBe(box.pid);
    });
  });
});
