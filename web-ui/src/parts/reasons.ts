import { whyInChinese } from '../../../src/words/reasons.ts';
import { refusals } from '../../../src/words/refusals.ts';
import { asSentence, type GivenReason, inChinese, type Table, type Why } from '../../../src/words/sentences.ts';
import { language } from '../words/index.ts';

/** A reason of a state, an event or a record in the reader's language; what has no code stays as it is. */
export const whySaid = (one: Why): string => (language.value === 'en' ? one.why : whyInChinese(one));

/** A reason in the reader's language, by the tables of `src/words` that may have its code. */
export const reasonIn = (given: GivenReason, ...tables: readonly Table[]): string =>
  language.value === 'en' ? given.reason : inChinese(given, ...tables);

/** The same as a sentence of its own; what has a code is said by it alone. */
export const sentenceIn = (given: GivenReason, table: Table): string =>
  asSentence(language.value === 'en' ? 'en' : 'zh', given, table);

/** Why a login was refused. `message`: for the code of a newer box. */
export const refusalSaid = (code: string, detail: string, message = ''): string =>
  sentenceIn({ reason: message, code, params: { detail } }, refusals);
