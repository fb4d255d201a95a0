import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { examine } from './cut.ts';
import { Cutter } from './cutter.ts';
import { readFailure } from './failure.ts';
import type { Findings } from './findings.ts';
import { type CutResult, cutScenario, type ExaminedCut, workFolder } from './power-record.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/list.ts';
import { readWriteLog } from './write-log.ts';

export interface RunOptions {
  readonly cuts: number;
  readonly seed: number;
  readonly among: readonly Scenario[];
  readonly keepIn: string;
  /** After each moment. */
  readonly onCut: (scenario: Scenario, cut: ExaminedCut) => void;
}

/** Of one recording: enough to cut each of its flushes beside the acknowledgements. */
const cutsEachMax = 800;

/**
 * Spreads the cuts over the scenarios, and those of a scenario over as many recordings as give each
 * at most 800.
 */
export async function runRecord({ cuts, seed, among, keepIn, onCut }: RunOptions): Promise<CutResult[]> {
  const results: CutResult[] = [];
  for (const [no, scenario] of among.entries()) {
    const own = Math.floor((cuts * (no + 1)) / among.length) - Math.floor((cuts * no) / among.length);
    const recordings = Math.max(1, Math.ceil(own / cutsEachMax));
    for (let recording = 0; recording < recordings; recording++)
      results.push(
        await cutScenario({
          scenario,
          cuts: Math.floor((own * (recording + 1)) / recordings) - Math.floor((own * recording) / recordings),
          seed: seed + no * 1000 + recording,
          startedEach: 200,
          keepIn,
          onCut: cut => onCut(scenario, cut),
        }),
      );
  }
  return results;
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
