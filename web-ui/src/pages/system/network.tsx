import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Check, CheckState } from '../../../../src/platform/checks.ts';
import { checkFindings, checkRemedies, remedyOf } from '../../../../src/words/checks.ts';
import { lines, Problem } from '../../api.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { reasonIn, sentenceIn } from '../../parts/reasons.ts';
import { may } from '../../session.ts';
import { Head } from './head.tsx';
import { words } from './network-words.ts';

interface Run {
  readonly state: 'idle' | 'running' | 'done';
  readonly checks: readonly Check[];
  readonly problem: Problem | null;
}

/** Checks the way to the cloud up to the first broken link, and shows what to do about it. */
export default function Network() {
  const run = useSignal<Run>({ state: 'idle', checks: [], problem: null });
  const leaving = useSignal<AbortController | null>(null);
  useEffect(() => () => leaving.peek()?.abort(), [leaving]);
  const start = () => {
    leaving.value = new AbortController();
    void examine(run, leaving.value.signal);
  };
  const said = words.value;
  const { state, checks, problem } = run.value;
  const groups = new Map<string, Check[]>();
  for (const check of checks) groups.set(check.of, [...(groups.get(check.of) ?? []), check]);
  return (
    <>
      <Head sentence={sentence(run.value)} />
      {may('admin') ? (
        <p>
          <button type="button" class="act go" onClick={start} disabled={state === 'running'}>
            {state === 'idle' ? said.go : said.again}
          </button>
        </p>
      ) : (
        <p class="quiet">{said.adminOnly}</p>
      )}
      <p class="quiet" role="status">
        {state === 'running' ? said.running : state === 'done' && !problem ? said.done(checks.length) : ''}
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

function sentence({ state, checks }: Run): string {
  const said = words.value;
  if (state === 'idle') return said.idle;
  const broken = checks.find(check => check.state === 'failed' && check.name !== 'clock');
  if (broken)
    return said.broken(broken.of === '' ? said.links[broken.name] : `${said.links[broken.name]} (${broken.of})`);
  if (state === 'running') return said.running;
  if (checks.some(check => check.state === 'failed')) return said.clockWrong;
  return checks.some(check => check.of !== '') ? said.well : said.alone;
}

/** Each link is shown when its line comes in. */
async function examine(run: Signal<Run>, signal: AbortSignal): Promise<void> {
  run.value = { state: 'running', checks: [], problem: null };
  const fail = (problem: Problem) => {
    run.value = { ...run.peek(), state: 'done', problem };
  };
  try {
    for await (const step of lines('post', '/doctor', { what: 'network' }, signal)) {
      if ('check' in step) run.value = { ...run.peek(), checks: [...run.peek().checks, step.check] };
      else if (step.done) run.value = { ...run.peek(), state: 'done' };
      else return fail(new Problem(409, 'busy', words.value.busy));
    }
    if (run.peek().state === 'running') fail(new Problem(0, 'cut', words.value.cut));
  } catch (error) {
    const isRefused = error instanceof Problem && error.status > 0;
    if (!signal.aborted) fail(isRefused ? error : new Problem(0, 'cut', words.value.cut));
  }
}
