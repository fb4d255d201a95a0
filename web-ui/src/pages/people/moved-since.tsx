import { type Signal, useSignal } from '@preact/signals';
import { Field, text as written } from '../../parts/field.tsx';
import { day } from '../../parts/numbers.ts';
import { type Change, PastNotice } from './past.tsx';
import { said } from './words.ts';

interface Move {
  /** Changes of the move in days that are over, once previewed. */
  readonly past: Signal<Change | null>;
  /** The day that was chosen. */
  sinceIn(form: FormData): string;
  /** Whether staff should see first what the move changes; asked again, it is to be saved. */
  isLookedAt(since: string, preview: () => Promise<Change>): Promise<boolean>;
}

/** A move to another department, or of one under another, that counts from a day on. */
export function useMove(): Move {
  const past = useSignal<Change | null>(null);
  return {
    past,
    sinceIn: form => written(form, 'since') || day(Date.now()),
    async isLookedAt(since, preview) {
      if (since >= day(Date.now()) || past.peek() !== null) return false;
      const change = await preview();
      if (change.days === 0) return false;
      past.value = change;
      return true;
    },
  };
}

/** The first day after a move, and what it changes in days that are over. */
export const MovedSince = ({ move }: { move: Move }) => (
  <>
    <Field
      label={said.value.movedSince}
      hint={said.value.movedSinceHint}
      type="date"
      name="since"
      required
      max={day(Date.now())}
      defaultValue={day(Date.now())}
      onInput={() => {
        move.past.value = null;
      }}
    />
    <PastNotice change={move.past.value} />
  </>
);
