import * as platform from '../../../src/platform/record-words.ts';
import { language } from './index.ts';

/** How a person was recognized, and the result: the words of the reports (SPEC 2.15). */
export const typeWords = (type: string): string => platform.typeWords(language.value, type);
export const resultWords = (result: number): string => platform.resultWords(language.value, result);
/** In place of the device of a record that only the cloud lists. */
export const cloudWord = (): string => platform.recordWords[language.value].cloud;
