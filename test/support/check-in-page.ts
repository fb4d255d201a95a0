import type { CheckInPage } from '../../src/store/index.ts';

/** What a caller reads in a page of check-ins. */
export const recordsIn = <Record>({ records }: Pick<CheckInPage, 'records'>): Record[] =>
  JSON.parse(`[${records.map(piece => Buffer.from(piece).toString('utf8')).join(',')}]`) as Record[];
