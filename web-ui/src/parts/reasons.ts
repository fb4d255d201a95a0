import { reasonInChinese } from '../../../src/platform/reasons-in-chinese.ts';
import { area } from '../words/index.ts';

/** Translates what the box logs in English; what has no translation is shown as it is. */
export const reasons = area({ of: (text: string) => text }, { of: reasonInChinese });

/** A reason of the box by a page's own patterns; what none of them knows stays as it is. */
export function reasonBy(patterns: readonly (readonly [pattern: string, words: string])[], reason: string): string {
  const found = patterns.find(([pattern]) => new RegExp(pattern).test(reason));
  return found ? reason.replace(new RegExp(found[0]), found[1]) : reason;
}
