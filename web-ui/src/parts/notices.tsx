import type { Problem } from '../api.ts';
import { words } from '../words/index.ts';

/** The box's refusal, with what to do next. */
export function ProblemNotice({ problem, again }: { problem: Problem | null; again?: () => void }) {
  if (!problem) return null;
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
  <p class="quiet" role="status">
    {words.value.list.loading}
  </p>
);
