import type { Problem } from '../api.ts';
import { words } from '../words/index.ts';

/**
 * The box's refusal, with what to do next. That the box does not answer stands in the line at the
 * top, and what was asked is asked again when it does.
 */
export function ProblemNotice({ problem, again }: { problem: Problem | null; again?: () => void }) {
  if (!problem) return null;
  if (problem.status === 0)
    return (
      <p class="notice" role="status">
        {words.value.problem.waiting}
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
