import type { DrillReport } from '../../../../src/admin/drill.ts';
import { moment } from '../../parts/numbers.ts';
import { words } from './drill-words.ts';

export type SentUp = DrillReport['sent_up'];

/** How the verdict of a drill stands out: by a mark, for a sheet may be printed in black. */
export const noticeOf = (outcome: string): string =>
  outcome === 'passed' ? 'notice ok' : outcome === 'failed' || outcome === 'broken' ? 'notice bad' : 'notice';

/** Of a result on the sheet: whether it went to the cloud or the box above. */
export function SentUpFact({ id, sent }: { id: string; sent: SentUp }) {
  if (sent === null) return null;
  const said = words.value;
  const one = sent.find(each => each.id === id);
  return (
    <>
      <dt>{said.sentUp}</dt>
      <dd>{!one ? said.notSentYet : one.refused === '' ? moment(one.at) : said.refusedAbove(one.refused)}</dd>
    </>
  );
}
