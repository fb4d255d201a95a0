import type { Problem } from '../api.ts';
import { words } from '../words/index.ts';

/**
 * The box's refusal, with what to do next. What is asked again by itself is no refusal: the box
 * does not answer (which stands in the line at the top too), or still enters what a page shows.
 */
export function ProblemNotice({ problem, again }: { problem: Problem | null; again?: () => void }) {
  if (!problem) return null;
  const waits =
    problem.status === 0 ? words.value.problem.waiting : problem.title === 'store_behind' ? problem.message : null;
  if (waits !== null)
    return (
      <p class="notice" role="status">
        {waits}
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

export const Loading = () => (
  <p class="quiet loading" role="status">
    {words.value.list.loading}
  </p>
);
