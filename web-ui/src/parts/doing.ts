import { type Signal, useSignal } from '@preact/signals';
import type { Problem } from '../api.ts';

/** Runs one change at a time; the box's refusal stays visible until the next try. */
export function useDoing(inWords: (problem: Problem) => string): {
  readonly busy: Signal<boolean>;
  readonly refused: Signal<string>;
  readonly run: (act: () => Promise<void>) => Promise<void>;
} {
  const busy = useSignal(false);
  const refused = useSignal('');
  return {
    busy,
    refused,
    run: async act => {
      if (busy.peek()) return;
      busy.value = true;
      refused.value = '';
      try {
        await act();
      } catch (error) {
        refused.value = inWords(error as Problem);
      }
      busy.value = false;
    },
  };
}
