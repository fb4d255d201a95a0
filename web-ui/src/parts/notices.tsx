import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { words } from '../words/index.ts';

/**
 * The box's refusal, with what to do next. What is asked again by itself is no refusal: the box
 * does not answer (which stands in the line at the top too), or still enters what a page shows. A
 * form is never sent again by itself.
 */
export function ProblemNotice({ problem, again }: { problem: Problem | null; again?: () => void }) {
  if (!problem) return null;
  if (problem.comesAgain)
    return (
      <p class="notice" role="status">
        {problem.status === 0 ? words.value.problem.waiting : problem.message}
      </p>
    );
  return (
    <div class="notice bad" role="alert">
      <p>
        <b>{words.value.problem.title}.</b> {problem.message}
      </p>
      {again && (
        <p>
          <button type="button" class="act" onClick={again}>
            {words.value.act.again}
          </button>
        </p>
      )}
    </div>
  );
}

/** Why a form was not carried out; nothing for null. */
export const Refused = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );

/** Parts of the page that are on their way. */
export const loadings = signal(0);

/** Rows as high as those that come in its place; `Arriving` says it, once for all of them. */
export function Loading({ rows = 6 }: { rows?: number }) {
  useLayoutEffect(() => {
    loadings.value++;
    return () => {
      loadings.value--;
    };
  }, []);
  return <div class="loading skeleton" style={`--rows: ${rows}`} />;
}
