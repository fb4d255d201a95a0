import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSystem } from './btrfs.ts';
import { examine } from './cut.ts';
import { Cutter } from './cutter.ts';
import { readFailure } from './failure.ts';
import type { Findings } from './findings.ts';
import {
  type CutPlan,
  type CutResult,
  type ExaminedCut,
  type RecordedScenario,
  recordScenario,
  workFolder,
} from './power-record.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/list.ts';
import { readWriteLog } from './write-log.ts';

export interface RunOptions {
  readonly cuts: number;
  readonly seed: number;
  readonly among: readonly Scenario[];
  readonly keepIn: string;
  readonly fileSystem?: FileSystem | undefined;
  /** After each moment. */
  readonly onCut: (scenario: Scenario, cut: ExaminedCut) => void;
}

/** Of one recording: enough to cut each of its flushes beside the acknowledgements. */
const cutsEachMax = 1000;
/** While the tools of one cut work, another one is checked. */
const cutAtOnce = 2;

/**
 * Spreads the cuts over the scenarios by their shares, and those of a scenario over as many
 * recordings as give each at most 1000. All is recorded first: an acknowledgement must be noted
 * when it arrives, so nothing else may keep this thread busy then.
 */
export async function runRecord(options: RunOptions): Promise<CutResult[]> {
  const plans = plansOf(options);
  await using recorded = new AsyncDisposableStack();
  const waiting: { place: number; recording: RecordedScenario }[] = [];
  for (const [place, plan] of plans.entries())
    waiting.push({ place, recording: recorded.use(await recordScenario(plan)) });
  const results: CutResult[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next.place] = await next.recording.cut();
  };
  await Promise.all(Array.from({ length: cutAtOnce }, worker));
  return results;
}

function plansOf({ cuts, seed, among, keepIn, fileSystem, onCut }: RunOptions): CutPlan[] {
  const shares = among.map(scenario => scenario.share ?? 1);
  const all = shares.reduce((sum, share) => sum + share, 0);
  let [given, through] = [0, 0];
  return among.flatMap((scenario, no) => {
    through += shares[no]!;
    const own = Math.round((cuts * through) / all) - given;
    given += own;
    const recordings = Math.ceil(own / cutsEachMax);
    return Array.from({ length: recordings }, (_, at) => ({
      scenario,
      cuts: Math.floor((own * (at + 1)) / recordings) - Math.floor((own * at) / recordings),
      seed: seed + no * 1000 + at,
      startedEach: scenario.startedEach ?? 200,
      keepIn,
      fileSystem,
      onCut: (cut: ExaminedCut) => onCut(scenario, cut),
    }));
  });
}

/** Repeats a moment that was kept, alone, by repair and by mounting. */
export async function repeatFailure(
  file: string,
): Promise<{ readonly byRepair: Findings; readonly byMount: Findings }> {
  const folder = await workFolder('repeat');
  try {
    const { recording, moment } = await readFailure(file, folder);
    const scenario = scenarios.find(one => one.name === recording.notes.scenario)!;
    const image = join(folder, 'cut.img');
    const entries = readWriteLog(recording.log);
    const again = async (byMount: boolean) => {
      await mkdir(folder, { recursive: true });
      new Cutter(await readFile(recording.base), entries).cut(moment, image);
      return examine(image, { scenario, notes: recording.notes, entries: moment.entries, folder, byMount });
    };
    return { byRepair: await again(false), byMount: await again(true) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
