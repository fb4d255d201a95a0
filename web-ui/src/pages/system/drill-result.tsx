import type { CardResultReport, DrillReport } from '../../../../src/admin/drill.ts';
import { drillLines } from '../../../../src/platform/drill-lines.ts';
import { bytes, count, moment } from '../../parts/numbers.ts';
import { session } from '../../session.ts';
import { language } from '../../words/index.ts';
import { LineOutcome } from './drill-line.tsx';
import { lineWords } from './drill-line-words.ts';
import { noticeOf, type SentUp, SentUpFact } from './drill-sheet.tsx';
import { TerminalsOutcome } from './drill-terminals.tsx';
import { terminalWords } from './drill-terminals-words.ts';
import { words } from './drill-words.ts';

/** The last result of each drill as one sheet to print and sign; those before as a line each. */
export function DrillResults({ report: { results, line, terminals, sent_up } }: { report: DrillReport }) {
  const said = words.value;
  const [card, ...cardsBefore] = results;
  const [cut, ...cutsBefore] = line.results;
  const [walk, ...walksBefore] = terminals.results;
  const earlier = [
    ...cardsBefore.map(one => ({ ...one, what: `${said.card}: ${said.outcomes[one.outcome]}` })),
    ...cutsBefore.map(one => ({ ...one, what: `${lineWords.value.title}: ${lineWords.value.brief[one.outcome]}` })),
    ...walksBefore.map(one => ({
      ...one,
      what: `${terminalWords.value.title}: ${terminalWords.value.brief[one.outcome]}`,
    })),
  ].sort((one, other) => other.ended_at - one.ended_at);
  if (!card && !cut && !walk) return null;
  return (
    <>
      <section class="drill-result" aria-label={said.result}>
        <h2>{said.result}</h2>
        <p>
          {said.version}: {session.value?.site.name}
        </p>
        {card && <CardOutcome result={card} sent={sent_up} />}
        {cut && <LineOutcome result={cut} sent={sent_up} />}
        {walk && <TerminalsOutcome result={walk} sent={sent_up} />}
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
      {earlier.length > 0 && (
        <section class="drill-earlier">
          <h2>{said.earlier}</h2>
          <ul>
            {earlier.map(one => (
              <li key={one.id}>
                {moment(one.ended_at)}: {one.what} <span class="mono quiet">{one.id}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function CardOutcome({ result, sent }: { result: CardResultReport; sent: SentUp }) {
  const said = words.value;
  const { verdict, device, cuts, figures, todo } = drillLines(language.value, result, { number: count, bytes });
  return (
    <>
      <h3>{said.card}</h3>
      <p class={noticeOf(result.outcome)}>{verdict}</p>
      <dl class="facts">
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
        <SentUpFact id={result.id} sent={sent} />
        <dt>{said.id}</dt>
        <dd class="mono">{result.id}</dd>
      </dl>
    </>
  );
}
