import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Check, CheckState } from '../../../../src/platform/checks.ts';
import { checkFindings, checkRemedies, remedyOf } from '../../../../src/words/checks.ts';
import { Problem } from '../../api.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { reasonIn, sentenceIn } from '../../parts/reasons.ts';
import { words } from './network-words.ts';

export interface ChecksRun {
  readonly state: 'idle' | 'running' | 'done';
  readonly checks: readonly Check[];
  readonly problem: Problem | null;
}

type Step = { readonly check: Check } | { readonly done: boolean };
type Steps = (signal: AbortSignal) => AsyncIterable<Step>;

/** Checks of a way to the cloud, shown as they come in; leaving the page ends them. */
export function useChecks(): {
  readonly run: Signal<ChecksRun>;
  readonly start: (steps: Steps, inWords?: (problem: Problem) => Problem) => void;
} {
  const run = useSignal<ChecksRun>({ state: 'idle', checks: [], problem: null });
  const leaving = useSignal<AbortController | null>(null);
  useEffect(() => () => leaving.peek()?.abort(), [leaving]);
  return {
    run,
    start(steps, inWords = problem => problem) {
      leaving.value = new AbortController();
      void examine(run, steps, inWords, leaving.value.signal);
    },
  };
}

/** Each link is shown when its line comes in. */
async function examine(
  run: Signal<ChecksRun>,
  steps: Steps,
  inWords: (problem: Problem) => Problem,
  signal: AbortSignal,
): Promise<void> {
  run.value = { state: 'running', checks: [], problem: null };
  const fail = (problem: Problem) => {
    run.value = { ...run.peek(), state: 'done', problem };
  };
  try {
    for await (const step of steps(signal)) {
      if ('check' in step) run.value = { ...run.peek(), checks: [...run.peek().checks, step.check] };
      else if (step.done) run.value = { ...run.peek(), state: 'done' };
      else return fail(new Problem(409, 'busy', words.value.busy));
    }
    if (run.peek().state === 'running') fail(new Problem(0, 'cut', words.value.cut));
  } catch (error) {
    const isRefused = error instanceof Problem && error.status > 0;
    if (!signal.aborted) fail(isRefused ? inWords(error) : new Problem(0, 'cut', words.value.cut));
  }
}

/**
 * Links by address, with what is to be done about the broken ones. `done`: what is said at the end.
 */
export function Checks({ run: { state, checks, problem }, done }: { run: ChecksRun; done: string }) {
  const said = words.value;
  const groups = new Map<string, Check[]>();
  for (const check of checks) groups.set(check.of, [...(groups.get(check.of) ?? []), check]);
  return (
    <>
      <p class="quiet" role="status">
        {state === 'running' ? said.running : state === 'done' && !problem ? done : ''}
      </p>
      <ProblemNotice problem={problem} />
      {[...groups].map(([of, found]) => (
        <section key={of} aria-label={of === '' ? said.box : of}>
          <h2 class={of === '' ? undefined : 'mono'}>{of === '' ? said.box : of}</h2>
          <ol class="chain">
            {found.map(check => (
              <Link key={check.name} check={check} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

const marks: Readonly<Record<CheckState, string>> = { ok: '✓', warn: '!', failed: '✕', skipped: '–' };

function Link({ check }: { check: Check }) {
  const said = words.value;
  const { name, state, code, params, message, error, ms } = check;
  const found = (state === 'ok' ? reasonIn : sentenceIn)({ reason: message, code, params }, checkFindings);
  const todo = check.remedy && sentenceIn(remedyOf(check), checkRemedies);
  return (
    <li class={state}>
      <span class={`mark ${state === 'failed' ? 'bad' : state === 'ok' ? 'ok' : ''}`} aria-hidden="true">
        {marks[state]}
      </span>
      <b>{said.links[name]}</b>
      <span class="what">
        <span class={state === 'failed' ? 'bad' : 'quiet'}>{said.states[state]}</span>
        {state === 'skipped' ? '' : `: ${found}`}
      </span>
      <span class="mono quiet">{state === 'skipped' ? '' : `${ms} ms`}</span>
      {state !== 'ok' && state !== 'skipped' && todo !== '' && (
        <p class="remedy">
          {todo} {error !== null && <span class="quiet">{said.code(String(error))}</span>}
        </p>
      )}
    </li>
  );
}

/** The first broken link, or that the way stands. */
export function verdict({ state, checks }: ChecksRun): string {
  const said = words.value;
  if (state === 'idle') return said.idle;
  const broken = checks.find(check => check.state === 'failed' && check.name !== 'clock');
  if (broken)
    return said.broken(broken.of === '' ? said.links[broken.name] : `${said.links[broken.name]} (${broken.of})`);
  if (state === 'running') return said.running;
  if (checks.some(check => check.state === 'failed')) return said.clockWrong;
  return checks.some(check => check.of !== '') ? said.well : said.alone;
}
