import type { LastUpdate, UpdateReport } from '../../../../src/admin/updates.ts';
import { updateReasons } from '../../../../src/words/updates.ts';
import { moment } from '../../parts/numbers.ts';
import { reasonIn } from '../../parts/reasons.ts';
import { words } from './update-words.ts';

/** In a container the engine starts another image: nothing is installed. */
const isByImage = ({ impossible_said: said }: UpdateReport): boolean => said?.code === 'update_by_image';

export function sentenceOf(report: UpdateReport): string {
  const { progress, last, impossible, runs } = report;
  const said = words.value;
  if (progress) return progress.to === '' ? said.goingBack : said.underWay(progress.to);
  if (last?.outcome === 'trying') return said.trying(last.to);
  if (last?.outcome === 'rolled-back' && last.code !== 'update_asked_for') return said.tookBack(last.to);
  if (last?.outcome === 'failed') return said.failed(last.to);
  if (impossible === null) return said.runs(runs.version);
  return isByImage(report) ? said.byImage : said.impossible;
}

/** A version; what came with the card or the package has none. */
const nameOf = (kind: LastUpdate['kind'], version: string): string =>
  version || (kind === 'image' ? words.value.flashed : words.value.packaged);

/** Running version, target of a rollback, and outcome of the last update. */
export function Versions({ report }: { report: UpdateReport }) {
  const { runs, other, last } = report;
  const said = words.value;
  const backTo = other && nameOf(other.kind, other.version);
  return (
    <dl class="facts">
      <dt>{said.program}</dt>
      <dd>
        {runs.version} <span class="quiet">{said.programs[isByImage(report) ? 'image' : runs.program]}</span>
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

function Last({ last }: { last: LastUpdate }) {
  const said = words.value;
  const { kind, from, to, outcome, why: reason, code, params, at } = last;
  return (
    <>
      {said.went(nameOf(kind, from), nameOf(kind, to))}, <span class="mono">{moment(at)}</span>
      <br />
      {reason === ''
        ? said.outcomes[outcome]
        : said.because(said.outcomes[outcome], reasonIn({ reason, code, params }, ...updateReasons))}
    </>
  );
}
