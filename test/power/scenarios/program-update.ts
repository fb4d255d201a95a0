import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Machine, programSaying } from '../../support/machine.ts';
import { trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

/** Where updates keep their programs, beside the data of the box as in the images. */
const keptBeside = (dataDir: string) => join(dirname(dataDir), 'program');

/** Long enough for many writes, and different in each block from that of another version. */
const programOf = (version: string): string => `${programSaying(version)}exit\n${`# ${version}\n`.repeat(30_000)}`;

/** The steps of `program install` and of what follows it at the next start, with real syncs. */
export const programUpdate: Scenario = {
  name: 'program-update',
  says: 'updates of the program are installed and prove themselves: the old one or the new one runs, and is whole',
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    const kept = keptBeside(stage.dataDir);
    await mkdir(kept, { recursive: true });
    await using machine = await Machine.make(kept);
    const run = async (script: string, ...args: string[]) => {
      const { status, stderr } = await machine.run(script, args);
      if (status !== 0) throw new Error(`${script} ${args.join(' ')}: ${status}: ${stderr}`);
    };
    stage.notes.begin();
    for (let minor = 2; minor < 8; minor++) {
      const version = `0.${minor}.0`;
      const bundle = await machine.bundle(version, programOf(version));
      await Promise.all([run('program', 'install', bundle), trickle(terminals, stage.notes, 8)]);
      stage.notes.promised('installed', String(minor));
      await run('program', 'count');
      await Promise.all([run('program', 'good'), trickle(terminals, stage.notes, 8)]);
      stage.notes.promised('proved', String(minor));
    }
  },
  async check({ dataDir, notes, entries }, found) {
    const kept = keptBeside(dataDir);
    await mkdir(kept, { recursive: true });
    await using machine = await Machine.make(kept);
    // What the next start does first.
    const counted = await machine.run('program', ['count']);
    if (counted.status !== 0) found.unreadable.push(`the update cannot be gone on with: ${counted.stderr}`);
    const { stdout } = await machine.run('program', ['which']);
    const program = await readFile(stdout.trim(), 'utf8').catch(String);
    const minor = Number(/gatehouse 0\.(\d+)\.0 /.exec(program)?.[1] ?? Number.NaN);
    if (program !== (minor === 1 ? programSaying : programOf)(`0.${minor}.0`))
      found.unreadable.push(`the program that is in force is not whole: ${program.length} characters`);
    const installed = notes.promises.filter(one => one.what === 'installed' && one.position <= entries);
    const newest = Math.max(1, ...installed.map(({ value }) => Number(value)));
    if (minor < newest) found.lost.push(`0.${newest}.0 was installed, 0.${minor}.0 runs`);
    if (minor > newest + 1) found.inconsistent.push(`0.${minor}.0 runs before it was installed`);
  },
};
