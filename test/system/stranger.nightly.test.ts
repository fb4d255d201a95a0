import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { machine, type Run, runMachine } from '../radio/machine.ts';
import { makeReleases, writeStory } from '../support/release-story.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

/**
 * A stranger with a release and openssl, on two machines with systemd that have nothing of the
 * project: by the commands of the documents from the list of checksums to the first punch, a
 * backup, an update to the next release and back, and the restore on the second machine. The story
 * is `test/installed/stranger.py`; the machines, under software emulation, are that of the radio
 * test.
 *
 * Alone: `npm run test:long -- stranger.nightly`. Two releases take eight minutes, the machines ten.
 */

const first = [
  'verifies the list with openssl alone, and finds each changed byte',
  'installs the package, and its service runs',
  'sends a first punch by the document',
  'makes a recovery key and a backup',
  'accepts the updates of this maker',
  'updates to 1.0.1 while a terminal punches; a kill does not keep it from proving itself',
  'rolls back to 1.0.0, which has all of it',
];
const second = [...first.slice(0, 2), 'restores the backup on a second machine, where devices go on'];

const tools = ['qemu-system-x86_64', 'mmdebstrap', 'rauc', 'mksquashfs', 'dpkg-deb', 'qemu-aarch64-static'];
const missing = tools.filter(tool => !hasTool(tool));
const possible = missing.length === 0 && process.arch === 'x64' && process.getuid?.() === 0;
const why = missing.length > 0 ? `needs ${missing.join()}` : 'needs root, on x86_64';

suiteWhere(possible, why, 'a stranger with a release', () => {
  const runs: Record<'first' | 'second', Run> = { first: { steps: [], said: '' }, second: { steps: [], said: '' } };
  beforeAll(
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-stranger-'));
      const story = fileURLToPath(new URL('../installed', import.meta.url));
      const results = join(folder, 'results');
      const program = join(folder, 'share');
      await mkdir(results);
      await mkdir(program);
      await makeReleases(program);
      await rm(join(program, 'keys'), { recursive: true });
      await writeStory(program, 'stranger.py');
      const on = async () => runMachine(await machine(), results, { program, story, minutes: 60 });
      runs.first = await on();
      await cp(results, join(program, 'backup'), { recursive: true });
      await rm(join(results, 'steps.jsonl'));
      runs.second = await on();
      await rm(folder, { recursive: true, force: true });
    },
    3 * 60 * 60_000,
  );

  test.each([...first.map(name => ['first', name] as const), ...second.map(name => ['second', name] as const)])(
    'on the %s machine: %s',
    (which, name) => {
      const { steps, said } = runs[which];
      const found = steps.find(({ step }) => step === name);
      expect(found?.ok, `${found ? found.detail : 'the story did not come to this step'}\n${said}`).toBe(true);
    },
  );
});
