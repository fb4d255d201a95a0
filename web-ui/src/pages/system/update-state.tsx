import type { LastUpdate, UpdateReport } from '../../../../src/admin/updates.ts';
import { moment } from '../../parts/numbers.ts';
import { words } from './update-words.ts';

export function sentenceOf({ progress, last, impossible, runs }: UpdateReport): string {
  const said = words.value;
  if (progress) return said.underWay(progress.to);
  if (last?.outcome === 'trying') return said.trying(last.to);
  if (last?.outcome === 'rolled-back' && last.why !== 'asked for') return said.tookBack(last.to);
  if (last?.outcome === 'failed') return said.failed(last.to);
  return impossible === null ? said.runs(runs.version) : said.impossible;
}

/** Running version, target of a rollback, and outcome of the last update. */
export function Versions({ report: { runs, other, last } }: { report: UpdateReport }) {
  const said = words.value;
  const backTo = other && (other.version || (other.kind === 'image' ? said.flashed : said.packaged));
  return (
    <dl class="facts">
      <dt>{said.program}</dt>
      <dd>
        {runs.version} <span class="quiet">{said.programs[runs.program]}</span>
      </dd>
      {runs.slot !== null && (
        <>
          <dt>{said.system}</dt>
          <dd>{said.slot(runs.system || said.flashed, runs.slot)}</dd>
        </>
      )}
      <dt>{said.back}</dt>
      <dd>{other && backTo ? said.backTo[other.kind](backTo) : said.backNowhere}</dd>
      <dt>{said.last}</dt>
      <dd>{last ? <Last last={last} /> : said.none}</dd>
    </dl>
  );
}

function Last({ last: { from, to, outcome, why, at } }: { last: LastUpdate }) {
  const said = words.value;
  return (
    <>
      {said.went(from, to)}, <span class="mono">{moment(at)}</span>
      <br />
      {why === '' ? said.outcomes[outcome] : said.because(said.outcomes[outcome], reasonOf(why))}
    </>
  );
}

/** Reason in the box's note, in the reader's language where the page has words for it. */
export function reasonOf(why: string): string {
  const { reasons } = words.value;
  if (why === 'asked for') return reasons.asked;
  if (/not healthy after 3 starts/.test(why)) return reasons.starts;
  if (/was not healthy for/.test(why)) return reasons.unhealthy;
  if (/did not come up/.test(why)) return reasons.neverUp;
  if (/restart it/.test(why)) return reasons.byHand;
  return why;
}
