import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DrillReport } from '../../../../src/admin/drill.ts';
import { post } from '../../api.ts';
import { Field, text } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { followNumbers, forgetNumber, keepNumber, keptNumber } from './drill-numbers.ts';
import { words } from './drill-words.ts';

type Card = NonNullable<DrillReport['card']>;

/** State of the drill of the card as this browser saw it. */
export interface Watched {
  readonly written: number;
  /** The box does not answer. */
  readonly away: boolean;
}

/** Asks the box for something; other buttons wait meanwhile. */
export interface Acting {
  readonly busy: boolean;
  readonly act: (ask: () => Promise<unknown>) => void;
}

const againMs = 1500;

/** The drill of the card that is under way: what to do now, very large. */
export function CardUnderWay({ card, watched, busy, act }: { card: Card; watched: Watched } & Acting) {
  const said = words.value;
  return (
    <>
      <CardState card={card} watched={watched} />
      {card.step === 'proving' && keptNumber()?.id !== card.id && <SeenForm card={card} busy={busy} act={act} />}
      <p class="drill-acts">
        <button
          type="button"
          class="act"
          disabled={busy || watched.away}
          onClick={() => act(() => post('/drill/card/stop'))}
        >
          {said.stop}
        </button>
      </p>
    </>
  );
}

/** Number that another browser, or the terminal, showed last. */
function SeenForm({ card, busy, act }: { card: Card } & Acting) {
  const said = words.value;
  return (
    <form
      class="narrow"
      onSubmit={event => {
        event.preventDefault();
        const number = Number(text(new FormData(event.currentTarget), 'number'));
        act(() => post('/drill/card/seen', { id: card.id, cut: card.cut, number }));
      }}
    >
      <Field label={said.seen} name="number" type="number" min={0} max={1_000_000} required hint={said.provingMore} />
      <p>
        <button type="submit" class="act go" disabled={busy}>
          {said.check}
        </button>
      </p>
    </form>
  );
}

export function BeginCard({ wasMade, busy, act }: { wasMade: boolean } & Acting) {
  const said = words.value;
  return (
    <section class="drill-lead" aria-labelledby="drill-card">
      <h2 id="drill-card">{said.card}</h2>
      <p>{said.lead}</p>
      <p>{said.stay}</p>
      <p class="drill-acts">
        <button
          type="button"
          class="act go"
          disabled={busy}
          onClick={() => act(() => post('/drill/card', { power_will_be_cut: true }))}
        >
          {wasMade ? said.again : said.begin}
        </button>
      </p>
    </section>
  );
}

/** Follows the numbers while the box counts; tells after a power cut what was seen last. */
export function useWatching(data: DrillReport | null, reload: () => void): Signal<Watched> {
  const watched = useSignal<Watched>({ written: 0, away: false });
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
  return watched;
}

/** The power was cut; or the box knows nothing of a drill whose numbers this browser saw. */
const mustReport = ({ card, results }: DrillReport, id: string): boolean =>
  card?.id === id ? card.step === 'proving' : !results.some(one => one.id === id);

export function cardSentence(card: Card, { away, written }: Watched): string {
  const said = words.value;
  if (away) return said.away;
  if (card.step === 'measuring' && written === 0) return said.measuring;
  if (card.step === 'proving') return said.proving(card.cut);
  return written >= card.pull_from ? said.pull : said.counting(card.cut, card.cuts);
}

/** Text for a person on a ladder. */
function CardState({ card, watched: { written, away } }: { card: Card; watched: Watched }) {
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
