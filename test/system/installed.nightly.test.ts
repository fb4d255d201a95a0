import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { bundleAll } from '../../scripts/build.ts';
import { machine, type Run, runMachine } from '../radio/machine.ts';
import { makeNewer } from '../support/other-version.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';
import { otherVersionOf, packaging } from './deb.cases.ts';

/**
 * The package, installed in a Debian under systemd, from its installation to its purge: what its
 * commands say is compared with what is there. The story is `test/installed/steps.py`; the machine,
 * under software emulation, is that of the radio test.
 *
 * Alone: `npm run test:long -- installed.nightly`. The first run makes the machine (a minute, root,
 * kept below `node_modules/.cache`); a run takes five minutes, and five times as long on a busy machine.
 * `GATEHOUSE_INSTALLED_RESULTS=FOLDER` keeps all logs of each run there.
 */

const story = [
  'the package is installed, and its service runs and answers root without naming the box',
  "an operator who may not read the box's data is told so",
  'check-config and doctor answer',
  'a site file is applied to the running service',
  'a backup is where the command says, whatever the place, and is whole',
  'a backup that cannot be written is refused, with the place',
  'a restore brings back what the backup held, and the service starts over it',
  'the package installed again restarts the service, which keeps everything',
  'a newer package installed under load keeps all that was acknowledged, and goes on',
  'a reset wipes nothing before its backup is whole, and everything after',
  'a purge leaves nothing',
];

/** As `steps.py` has it. */
const newer = '99.0.0';

const missing = ['qemu-system-x86_64', 'mmdebstrap', 'dpkg-deb'].filter(tool => !hasTool(tool));
const possible = missing.length === 0 && process.arch === 'x64' && process.getuid?.() === 0;
const why = missing.length > 0 ? `needs ${missing.join()}` : 'needs root, on x86_64';

suiteWhere(possible, why, 'the installed package under systemd', () => {
  let run: Run;
  beforeAll(async () => {
    const keep = process.env.GATEHOUSE_INSTALLED_RESULTS;
    if (keep) await mkdir(keep, { recursive: true });
    const results = await mkdtemp(join(keep ?? tmpdir(), 'gatehouse-installed-'));
    await using packages = await packaging(null);
    const program = join(packages.folder, 'share');
    await mkdir(join(program, 'dist'), { recursive: true });
    await writeFile(join(program, 'story'), 'steps.py');
    await copyFile(await packages.build('amd64'), join(program, 'gatehouse.deb'));
    await copyFile(process.execPath, join(program, 'node'));
    await bundleAll(join(program, 'dist'), false);
    await cp(join(program, 'dist'), join(program, 'newer'), { recursive: true });
    await makeNewer(join(program, 'newer'), newer, ['CREATE TABLE next (n INTEGER)']);
    const made = { version: newer, dist: '/opt/newer' };
    await otherVersionOf(join(program, 'gatehouse.deb'), join(program, 'newer.deb'), made);
    const folder = fileURLToPath(new URL('../installed', import.meta.url));
    run = await runMachine(await machine(), results, { program, story: folder, minutes: 45 });
    if (!keep) await rm(results, { recursive: true, force: true });
    if (story.some(name => !run.steps.find(({ step }) => step === name)?.ok)) console.error(run.said);
  }, 60 * 60_000);

  test('the story has no step that is not named here', () => {
    expect(run.steps.map(({ step }) => step).filter(step => !story.includes(step))).toEqual([]);
  });

  test.each(story)('%s', name => {
    const step = run.steps.find(one => one.step === name);
    if (!step) throw new Error('the story did not come to this step');
    if (!step.ok) throw new Error(String(step.detail));
  });
});
