import { useDoing as useDoingIn } from '../../parts/doing.ts';
import { reasonWords } from './import-words.ts';
import { refusalWords } from './words.ts';

/** Changes of this page, with its words for refusals. */
export const useDoing = () =>
  useDoingIn(({ title, message, problems }) =>
    title === 'plan_refused'
      ? problems.map(problem => reasonWords((problem as { reason?: string }).reason ?? message)).join('\n')
      : refusalWords(title, message),
  );
