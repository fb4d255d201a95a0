import { adminTextsToA } from './admin-a.ts';
import { adminTextsToQ } from './admin-b-to-q.ts';
import { adminTextsToZ } from './admin-r-to-z.ts';
import { callerTexts } from './callers.ts';
import { eventTexts } from './events.ts';

/** By the English text, which stands where it was first seen: of the calls by their paths. */
export const allTexts: Readonly<Record<string, string>> = {
  ...callerTexts,
  ...adminTextsToA,
  ...adminTextsToQ,
  ...adminTextsToZ,
  ...eventTexts,
};
