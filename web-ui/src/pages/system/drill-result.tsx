import type { CardResultReport } from '../../../../src/admin/drill.ts';
import { drillLines } from '../../../../src/platform/drill-lines.ts';
import { bytes, count, moment } from '../../parts/numbers.ts';
import { session } from '../../session.ts';
import { language } from '../../words/index.ts';
import { words } from './drill-words.ts';

/** The last result as a sheet to print and sign; those before it as a line each. */
export function DrillResults({ results }: { results: readonly CardResultReport[] }) {
  const [last, ...earlier] = results;
  const said = words.value;
  if (!last) return null;
  return (
    <>
      <ResultSheet result={last} />
      {earlier.length > 0 && (
        <section class="drill-earlier">
          <h2>{said.earlier}</h2>
          <ul>
            {earlier.map(one => (
              <li key={one.id}>
                {moment(one.ended_at)}: {said.outcomes[one.outcome]} <span class="mono quiet">{one.id}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ResultSheet({ result }: { result: CardResultReport }) {
  const said = words.value;
  const { verdict, device, cuts, figures, todo } = drillLines(language.value, result, { number: count, bytes });
  const isBad = todo !== null;
  return (
    <section class="drill-result" aria-label={said.result}>
      <h2>{said.result}</h2>
      <p class={isBad ? 'notice bad' : 'notice'}>{verdict}</p>
      <dl class="facts">
        <dt>{said.version}</dt>
        <dd>{session.value?.site.name}</dd>
        <dt>{said.card}</dt>
        <dd>{device}</dd>
        {cuts.length > 0 && (
          <>
            <dt>{said.found}</dt>
            <dd>
              {cuts.map(line => (
                <p key={line}>{line}</p>
              ))}
            </dd>
          </>
        )}
        {figures.length > 0 && (
          <>
            <dt>{said.figures}</dt>
            <dd>
              {figures.map(line => (
                <p key={line}>{line}</p>
              ))}
            </dd>
          </>
        )}
        {todo !== null && (
          <>
            <dt>{said.todo}</dt>
            <dd>{todo}</dd>
          </>
        )}
        <dt>{said.date}</dt>
        <dd>{moment(result.ended_at)}</dd>
        <dt>{said.id}</dt>
        <dd class="mono">{result.id}</dd>
      </dl>
      <p class="drill-acts">
        <button type="button" class="act" onClick={() => print()}>
          {said.print}
        </button>
      </p>
      <div class="drill-signatures">
        <p>{said.installer}</p>
        <p>{said.customer}</p>
      </div>
    </section>
  );
}
