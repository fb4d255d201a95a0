import { reasonInChinese } from '../../../src/platform/reasons-in-chinese.ts';
import { type GivenReason, inChinese, type Table } from '../../../src/words/sentences.ts';
import { area, language } from '../words/index.ts';

/** Translates what the box logs in English; what has no translation is shown as it is. */
export const reasons = area({ of: (text: string) => text }, { of: reasonInChinese });

/** A reason in the reader's language, by the tables of `src/words` that may have its code. */
export const reasonIn = (given: GivenReason, ...tables: readonly Table[]): string =>
  language.value === 'en' ? given.reason : inChinese(given, ...tables);
