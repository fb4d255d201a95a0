import type { RequestReport } from '../../../../src/admin/ui/integrations.ts';
import { integrationWords } from './words.ts';

/** Mistake of a call, in the language of the page; a newer box's own words as they are. */
export function mistakeWords({
  mistake,
  message,
  named,
}: Pick<NonNullable<RequestReport['why']>, 'mistake' | 'message' | 'named'>): string {
  const known = integrationWords.value.mistakes as Readonly<Record<string, string>>;
  return known[mistake]?.replace('{}', named) ?? message;
}
