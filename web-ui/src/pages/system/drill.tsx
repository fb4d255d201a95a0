import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DrillReport } from '../../../../src/admin/drill.ts';
import { type Problem, post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { followNumbers, forgetNumber, keepNumber, keptNumber } from './drill-numbers.ts';
import { DrillResults } from './drill-result.tsx';
import { words } from './drill-words.ts';
import { Head } from './head.tsx';
import './drill.css';

type Card = NonNullable<DrillReport['card']>;

/** What this browser saw of the drill that is under way. */
interface Watched {
  readonly written: number;
  /** The box does not answer. */
  readonly away: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
}

const againMs = 1500;

/** The drill of the card: what to do now, very large, and what came of it. */
export default function Drill() {
  const { value: said } = words;
  if (!may('admin'))
    return (
      <>
        <Head sentence={said.idle} />
        <p class="quiet">{said.adminOnly}</p>
      </>
    );
  return <AdminDrill />;
}

function AdminDrill() {
  const { loaded, reload } = useLoaded('/drill');
  const watched = useSignal<Watched>({ written: 0, away: false, busy: false, problem: null });
  const { data, problem } = loaded.value;
  useWatching(data, watched, reload);
  const act = async (ask: () => Promise<unknown>) => {
    watched.value = { ...watched.peek(), busy: true, problem: null };
    try {
      await ask();
      reload();
    } catch (error) {
      watched.value = { ...watched.peek(), problem: error as Problem };
    }
    watched.value = { ...watched.peek(), busy: false };
  };
  const said = words.value;
  const card = data?.card ?? null;
  const [last] = data?.results ?? [];
  return (
    <>
      <Head sentence={sentence(card, watched.value)} />
      {card && <Standing card={card} watched={watched.value} />}
      <ProblemNotice problem={watched.value.problem ?? (watched.value.away ? null : problem)} />
      {card?.step === 'proving' && keptNumber()?.id !== card.id && (
        <form
          class="narrow"
          onSubmit={event => {
            event.preventDefault();
            const number = Number(text(new FormData(event.currentTarget), 'number'));
            void act(() => post('/drill/card/seen', { id: card.id, cut: card.cut, number }));
          }}
        >
          <Field
            label={said.seen}
            name="number"
            type="number"
            min={0}
            max={1_000_000}
            required
            hint={said.provingMore}
          />
          <p>
            <button type="submit" class="act go" disabled={watched.value.busy}>
              {said.check}
            </button>
          </p>
        </form>
      )}
      {data && !card && (
        <div class="drill-lead">
          <p>{said.lead}</p>
          <p>{said.stay}</p>
        </div>
      )}
      {data && (
        <p class="drill-acts">
          {card ? (
            <button
              type="button"
              class="act"
              disabled={watched.value.busy || watched.value.away}
              onClick={() => void act(() => post('/drill/card/stop'))}
            >
              {said.stop}
            </button>
          ) : (
            <button
              type="button"
              class="act go"
              disabled={watched.value.busy}
              onClick={() => void act(() => post('/drill/card', { power_will_be_cut: true }))}
            >
              {last ? said.again : said.begin}
            </button>
          )}
        </p>
      )}
      {data && !card && <DrillResults results={data.results} />}
    </>
  );
}

/** Follows the numbers while the box counts; tells after a power cut what was seen last. */
function useWatching(data: DrillReport | null, watched: Signal<Watched>, reload: () => void): void {
  useEffect(() => {
    if (!data) return;
    watched.value = { ...watched.peek(), away: false };
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      if (!leaving.signal.aborted) timer = setTimeout(reload, againMs);
    };
    const { card } = data;
    const seen = keptNumber();
    if (seen && mustReport(data, seen.id)) {
      post('/drill/card/seen', seen).then(
        () => {
          forgetNumber();
          reload();
        },
        () => later(),
      );
    } else if (card && card.step !== 'proving') {
      watched.value = { ...watched.peek(), written: card.written };
      const show = (written: number) => {
        watched.value = { ...watched.peek(), written };
        keepNumber({ id: card.id, cut: card.cut, number: written });
      };
      void followNumbers(show, leaving.signal).then(isOver => {
        if (leaving.signal.aborted) return;
        watched.value = { ...watched.peek(), away: !isOver };
        later();
      });
    } else if (seen && data.results.some(({ id }) => id === seen.id)) forgetNumber();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [data]);
}

/** The power was cut; or the box knows nothing of a drill whose numbers this browser saw. */
const mustReport = ({ card, results }: DrillReport, id: string): boolean =>
  card?.id === id ? card.step === 'proving' : !results.some(one => one.id === id);

function sentence(card: Card | null, { away, written }: Watched): string {
  const said = words.value;
  if (card === null) return said.idle;
  if (away) return said.away;
  if (card.step === 'measuring' && written === 0) return said.measuring;
  if (card.step === 'proving') return said.proving(card.cut);
  return written >= card.pull_from ? said.pull : said.counting(card.cut, card.cuts);
}

/** What a person on a ladder reads. */
function Standing({ card, watched: { written, away } }: { card: Card; watched: Watched }) {
  const said = words.value;
  if (card.step === 'proving') return null;
  const isPull = !away && written >= card.pull_from;
  return (
    <div class={`drill-now${isPull ? ' pull' : ''}`}>
      {away ? (
        <p>{said.awayMore}</p>
      ) : written === 0 ? (
        <p>{said.measuringMore}</p>
      ) : isPull ? (
        <p>{said.pullMore}</p>
      ) : (
        <>
          <p>{said.written(count(written), count(card.pull_from))}</p>
          <progress max={card.pull_from} value={written} aria-label={said.progress} />
        </>
      )}
      {(away || isPull) && (
        <p class="drill-number">
          <span>{said.last}</span> <b>{written}</b>
        </p>
      )}
    </div>
  );
}
