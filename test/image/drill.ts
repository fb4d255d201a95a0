import type { DrillReport } from '../../src/admin/index.ts';
import { numbersBeforeCut } from '../../src/platform/drill.ts';
import type { Kind } from '../power/moments.ts';
import type { ImageBox } from './box.ts';

/**
 * Cuts the power when the drill has shown enough numbers; resolves to the last one. `lies`: from
 * half of them on the card answers flushes without doing them.
 */
export async function countAndCut(box: ImageBox, kind: Kind, lies = false): Promise<number> {
  const liesFrom = lies ? (await box.numberOfDrill(numbersBeforeCut / 2)).position : undefined;
  const { written, position } = await box.numberOfDrill(numbersBeforeCut);
  await box.cutPower({ at: position, kind, ...(liesFrom === undefined ? {} : { liesFrom }) });
  return written;
}

/** Switches the box on after a cut, and tells the drill what was seen before it. */
export async function provedAfter(box: ImageBox, id: string, cut: number, number: number): Promise<DrillReport> {
  await box.switchOn();
  await box.ready();
  return (await box.ask<{ report: DrillReport }>('/drill/card/seen', { id, cut, number })).report;
}
