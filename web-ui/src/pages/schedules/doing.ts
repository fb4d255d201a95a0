import { useDoing as useDoingIn } from '../../parts/doing.ts';
import { refusalWords } from './words.ts';

/** Changes of this page, with its words for refusals. */
export const useDoing = () => useDoingIn(refusalWords);
