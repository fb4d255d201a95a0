import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../src/runtime/clock.ts';
import { seededRandom } from '../support/clock.ts';
import { recordAgain } from './again.ts';
import type { FileSystem } from './btrfs.ts';
import { examine } from './cut.ts';
import { Cutter } from './cutter.ts';
import { keepFailure } from './failure.ts';
import { type Findings, isGood } from './findings.ts';
import { drawMoments, type Moment } from './moments.ts';
import { secondsToReady } from './real-start.ts';
import { record } from './recorder.ts';
import { acknowledgedPositions, type Recording } from './recording.ts';
import type { Scenario } from './scenario.ts';
import { plainLoad } from './scenarios/plain-load.ts';
import { recovery } from './scenarios/recovery.ts';
import { type LogEntry, readWriteLog } from './write-log.ts';

export interface CutPlan {
  readonly scenario: Scenario;
  readonly cuts: number;
  readonly seed: number;
  /** One cut in so many is recovered by the kernel, by mounting. 0: none. */
  readonly mountedEach?: number;
  /** One cut in so many is given to a real box, which must get to `ready`. 0: none. */
  readonly startedEach?: number;
  /** Controls: another program, and a disk that only pretends this portion of its flushes. */
  readonly program?: string | undefined;
  readonly dropFlushes?: number;
  /** Absent: ext4. */
  readonly fileSystem?: FileSystem | undefined;
  /** Where the first failing moments are kept; absent: nowhere. */
  readonly keepIn?: string | undefined;
  readonly onCut?: (cut: ExaminedCut) => void;
}

export interface ExaminedCut {
  readonly moment: Moment;
  readonly byMount: boolean;
  readonly findings: Findings;
  /** Null: no real box was started on it. */
  readonly readySeconds: number | null;
  /** The file of a failing moment. */
  readonly kept: string | null;
}

export interface CutResult {
  readonly scenario: string;
  readonly cuts: readonly ExaminedCut[];
  readonly acknowledged: number;
  readonly logBytes: number;
  /** Of the recorded part; and how many of them are among the moments. */
  readonly flushes: number;
  readonly flushesCut: number;
}

/** Of one recording: where one moment fails, many do, for the same reason. */
const keptMax = 5;

/** Files of the size of disks: in memory, where there is such a place. */
export const workFolder = (name: string): Promise<string> =>
  mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `gatehouse-${name}-`));

/** Records a scenario once and cuts the power at moments drawn from the seed. */
export async function cutScenario(plan: CutPlan): Promise<CutResult> {
  await using recorded = await recordScenario(plan);
  return await recorded.cut();
}

export interface RecordedScenario extends AsyncDisposable {
  /** Cuts it as the plan says. */
  cut(): Promise<CutResult>;
}

/** Records the scenario of a plan; its end removes the files. */
export async function recordScenario(plan: CutPlan): Promise<RecordedScenario> {
  const folder = await workFolder('power');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const recording = await recorded(plan, folder);
    return { cut: () => cutRecording(recording, plan, folder), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function recorded({ scenario, program, seed, fileSystem }: CutPlan, folder: string): Promise<Recording> {
  if (scenario !== recovery) return record(scenario, { folder, program, fileSystem });
  const before = join(folder, 'before');
  await mkdir(before, { recursive: true });
  const first = await record(plainLoad, { folder: before, program, fileSystem });
  return recordAgain(first, scenario, { random: seededRandom(seed), folder });
}

/** Cuts what was recorded. `folder` is for what it works with. */
async function cutRecording(recording: Recording, plan: CutPlan, folder: string): Promise<CutResult> {
  const random = seededRandom(plan.seed);
  const entries = readWriteLog(recording.log, recording.notes.to);
  const { notes } = recording;
  const acknowledged = acknowledgedPositions(notes);
  const moments = drawMoments({ from: notes.from, entries, acknowledged }, plan.cuts, random);
  const cutter = new Cutter(await readFile(recording.base), entries, {
    dropFlushes: plan.dropFlushes ?? 0,
    seed: plan.seed,
  });
  const cuts: ExaminedCut[] = [];
  for (const moment of moments) {
    const kept = cuts.filter(cut => cut.kept !== null).length;
    const cut = await examineMoment({ recording, plan, cutter, moment, random, folder, kept });
    cuts.push(cut);
    plan.onCut?.(cut);
  }
  const flushAt = entries.flatMap((entry, at) => (entry.isFlush && at >= notes.from ? [at] : []));
  const cutAt = new Set(moments.map(moment => moment.entries));
  return {
    scenario: notes.scenario,
    cuts,
    acknowledged: acknowledged.length,
    logBytes: bytesSince(entries, notes.from),
    flushes: flushAt.length,
    flushesCut: flushAt.filter(at => cutAt.has(at)).length,
  };
}

async function examineMoment(work: {
  recording: Recording;
  plan: CutPlan;
  cutter: Cutter;
  moment: Moment;
  random: Random;
  folder: string;
  /** How many moments of this recording were kept already. */
  kept: number;
}): Promise<ExaminedCut> {
  const { recording, plan, cutter, moment, random, folder } = work;
  const { mountedEach = 10, startedEach = 0, scenario } = plan;
  const { notes } = recording;
  const image = join(folder, 'cut.img');
  await mkdir(folder, { recursive: true });
  cutter.cut(moment, image);
  const byMount = mountedEach > 0 && random() < 1 / mountedEach;
  const isStarted = startedEach > 0 && random() < 1 / startedEach;
  const findings = await examine(image, { scenario, notes, entries: moment.entries, folder, byMount });
  let readySeconds: number | null = null;
  if (isStarted) {
    // The examination recovered the image; a real start gets it as the cut left it.
    cutter.cut(moment, image);
    readySeconds = await secondsToReady(image, notes.config).catch(error => {
      findings.unreadable.push(`the box does not start: ${String(error)}`);
      return null;
    });
  }
  const isKept = !isGood(findings) && plan.keepIn !== undefined && work.kept < keptMax;
  const kept = isKept ? await keepFailure(plan.keepIn!, recording, moment, findings) : null;
  return { moment, byMount, findings, readySeconds, kept };
}

function bytesSince(entries: readonly LogEntry[], from: number): number {
  let bytes = 0;
  for (const { data } of entries.slice(from)) bytes += data.length;
  return bytes;
}
