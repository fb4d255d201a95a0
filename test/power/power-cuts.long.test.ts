import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { suiteWhere } from '../support/tools.ts';
import { btrfs } from './btrfs.ts';
import { isGood, said } from './findings.ts';
import { FuseDisk } from './fuse-disk.ts';
import { forgetfulProgram } from './patched-program.ts';
import { cutScenario, type ExaminedCut, workFolder } from './power-record.ts';
import { repeatFailure } from './run.ts';
import { scenarios } from './scenarios/list.ts';
import { plainLoad } from './scenarios/plain-load.ts';

/** Of each scenario; `npm run power-cuts -- --cuts 10000` for the record. */
const cuts = Number(process.env.CUTS ?? 8);
/** A program or disk that loses something is found out in so many. */
const cutsOfControl = 16;
const seed = Number(process.env.SEED ?? 1);
const keepIn = 'node_modules/.cache/power-cuts';

/** What was wrong, each with the command that repeats it alone. */
const wrong = (examined: readonly ExaminedCut[]): string[] =>
  examined
    .filter(({ findings }) => !isGood(findings))
    .map(({ findings, kept }) => `${said(findings)}\n  npm run power-cuts -- --repeat ${kept}`);

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'the power is cut', () => {
  test.each(scenarios)('while $says: what was acknowledged is there, in order, readable', async scenario => {
    const { cuts: examined, acknowledged } = await cutScenario({ scenario, cuts, seed, keepIn, startedEach: cuts });
    expect(wrong(examined)).toEqual([]);
    expect(examined).toHaveLength(cuts);
    expect(acknowledged).toBeGreaterThan(0);
  });

  test('a box whose commits do not wait for the disk is found out', async () => {
    const folder = await workFolder('forgetful');
    try {
      const program = await forgetfulProgram(folder);
      const { cuts: examined } = await cutScenario({
        scenario: plainLoad,
        cuts: cutsOfControl,
        seed,
        program,
        keepIn: folder,
      });
      const losses = examined.filter(({ findings }) => findings.lost.length > 0);
      expect(losses.length).toBeGreaterThan(cutsOfControl / 4);
      // What is kept of such a moment shows it again, alone.
      const { byRepair, byMount } = await repeatFailure(losses[0]!.kept!);
      for (const again of [byRepair, byMount]) expect(again.lost).toEqual(losses[0]!.findings.lost);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a disk that drops a third of its flushes is found out', async () => {
    const { cuts: examined } = await cutScenario({
      scenario: plainLoad,
      cuts: cutsOfControl * 2,
      seed,
      dropFlushes: 1 / 3,
    });
    expect(examined.filter(({ findings }) => !isGood(findings)).length).toBeGreaterThan(0);
  });
});

suiteWhere(FuseDisk.possible && btrfs.possible, btrfs.needs, 'power cuts on btrfs', () => {
  const plan = { scenario: plainLoad, cuts, seed, fileSystem: 'btrfs' as const, keepIn };

  test('everything acknowledged is there, in order and readable', async () => {
    const { cuts: examined } = await cutScenario(plan);
    expect(wrong(examined)).toEqual([]);
  });

  test('a disk that drops a third of its flushes is found out', async () => {
    const { cuts: examined } = await cutScenario({
      ...plan,
      keepIn: undefined,
      cuts: cutsOfControl * 2,
      dropFlushes: 1 / 3,
    });
    expect(examined.filter(({ findings }) => !isGood(findings)).length).toBeGreaterThan(0);
  });
});
