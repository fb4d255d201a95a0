import { planErrors } from '../../../../src/words/plans.ts';
import type { GivenReason } from '../../../../src/words/sentences.ts';
import { useDoing as useDoingIn } from '../../parts/doing.ts';
import { reasonIn } from '../../parts/reasons.ts';
import { refusalWords } from './words.ts';

/** Changes of this page, with its words for refusals. */
export const useDoing = () =>
  useDoingIn(({ title, message, problems }) =>
    title === 'plan_refused'
      ? problems.map(problem => reasonIn(problem as GivenReason, planErrors)).join('\n')
      : refusalWords(title, message),
  );
