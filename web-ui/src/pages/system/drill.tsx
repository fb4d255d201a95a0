import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { DrillReport } from '../../../../src/admin/drill.ts';
import type { Problem } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { may } from '../../session.ts';
import { BeginCard, CardUnderWay, cardSentence, useWatching, type Watched } from './drill-card.tsx';
import { LineDrill, lineSentence } from './drill-line.tsx';
import { DrillResults } from './drill-result.tsx';
import { TerminalsDrill, terminalsSentence } from './drill-terminals.tsx';
import { words } from './drill-words.ts';
import { Head } from './head.tsx';
import './drill.css';

/** While a drill goes on that needs nobody to look at each number. */
const lookMs = 2000;

/** The drills of the box: what to do now, and what came of them. */
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
  const state = useSignal<{ readonly busy: boolean; readonly problem: Problem | null }>({ busy: false, problem: null });
  const { data, problem } = loaded.value;
  const watched = useWatching(data, reload);
  const look = useCallback(() => {
    const { data, loading } = loaded.peek();
    if (data && mayChange(data) && !data.card && !loading) reload();
  }, [loaded, reload]);
  useEvery(lookMs, look);
  const act = async (ask: () => Promise<unknown>) => {
    state.value = { busy: true, problem: null };
    try {
      await ask();
      reload();
    } catch (error) {
      state.value = { busy: true, problem: error as Problem };
    }
    state.value = { ...state.peek(), busy: false };
  };
  const acting = { busy: state.value.busy, act: (ask: () => Promise<unknown>) => void act(ask) };
  const card = data?.card ?? null;
  return (
    <>
      <Head sentence={data ? sentence(data, watched.value) : words.value.idle} />
      <ProblemNotice problem={state.value.problem ?? (watched.value.away ? null : problem)} />
      {card && <CardUnderWay card={card} watched={watched.value} {...acting} />}
      {data && !card && (
        <>
          {isQuiet(data) && <BeginCard wasMade={data.results.length > 0} {...acting} />}
          <LineDrill line={data.line} {...acting} />
          <TerminalsDrill terminals={data.terminals} {...acting} />
          <DrillResults report={data} />
        </>
      )}
    </>
  );
}

/** By itself: a drill is under way, or the sheet's result goes up. */
const mayChange = ({ line, terminals, results, sent_up }: DrillReport): boolean =>
  line.now !== null ||
  terminals.now !== null ||
  [results[0], line.results[0], terminals.results[0]].some(
    one => one && sent_up?.some(({ id }) => id === one.id) === false,
  );

/** Nothing is under way that a power cut would end. */
const isQuiet = ({ line, terminals }: DrillReport): boolean => line.now === null && terminals.now === null;

function sentence({ card, line, terminals }: DrillReport, watched: Watched): string {
  if (card) return cardSentence(card, watched);
  if (line.now) return lineSentence(line.now);
  return terminals.now ? terminalsSentence(terminals.now) : words.value.idle;
}
