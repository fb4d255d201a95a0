import type { MirrorReport } from '../admin/index.ts';
import { ago } from './wording.ts';

const states: { readonly [State in MirrorReport['state']]: (why: string) => string } = {
  never: () => 'not fetched yet',
  up: () => 'the box follows it',
  down: why => `does not answer: ${why}`,
  refused: why => `refuses: ${why}`,
};

/** How the cloud's organization and records are copied: the state, how old each is, what is odd. */
export function mirrorInWords(mirror: MirrorReport, now: number): string {
  const { state, why, mirrored_at, checkins_at, access_at, features_at, hidden, held, incomplete, records_why } =
    mirror;
  const ages = [
    ['people', mirrored_at],
    ['check-ins', checkins_at],
    ['access records', access_at],
    ['features', features_at],
  ] as const;
  return [
    [
      why === incomplete && why !== '' ? why : states[state](why),
      ...ages.map(([what, at]) => (at === null ? `no ${what} yet` : `${what} ${ago(at, now)}`)),
    ].join(', '),
    ...(records_why === '' ? [] : [`records: ${records_why}`]),
    ...(incomplete === '' || incomplete === why ? [] : [incomplete]),
    ...(hidden > 0 ? [`${hidden} missing there, deleted here after 24 hours of it: the page Sync lists them`] : []),
    ...(held > 0
      ? [`${held} missing there at once, kept here until staff deletes them on the page Sync: check the cloud`]
      : []),
  ].join('; ');
}
