import { type Signal, useSignal } from '@preact/signals';
import type { Problem } from '../api.ts';

/** A change that is made on request, and the box's answer to it. */
export interface Doing<Refusal> {
  readonly busy: Signal<boolean>;
  /** Refusal of the last try; null: it was not refused, or has not ended. */
  readonly refused: Signal<Refusal | null>;
  /** Returns whether it was done: not while another change runs, nor when it was refused. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
}

const asItIs = (problem: Problem): Problem => problem;

/**
 * Runs one change at a time; the box's refusal stays visible until the next try. `inWords`: the
 * refusal as the page says it; null: the page shows it elsewhere.
 */
export function useDoing(): Doing<Problem>;
export function useDoing<Refusal>(inWords: (problem: Problem) => Refusal | null): Doing<Refusal>;
export function useDoing(inWords: (problem: Problem) => unknown = asItIs): Doing<unknown> {
  const busy = useSignal(false);
  const refused = useSignal<unknown>(null);
  return {
    busy,
    refused,
    run: async act => {
      if (busy.peek()) return false;
      busy.value = true;
      refused.value = null;
      try {
        await act();
        return true;
      } catch (error) {
        refused.value = inWords(error as Problem);
        return false;
      } finally {
        busy.value = false;
      }
    },
  };
}

type Form<Refusal> = Omit<Doing<Refusal>, 'run'> & { readonly submit: (event: SubmitEvent) => Promise<boolean> };

/** The same for a form, which `submit` takes from its event. */
export function useForm(act: (form: FormData) => Promise<unknown>): Form<Problem>;
export function useForm<Refusal>(
  act: (form: FormData) => Promise<unknown>,
  inWords: ((problem: Problem) => Refusal | null) | undefined,
): Form<Refusal>;
export function useForm(
  act: (form: FormData) => Promise<unknown>,
  inWords: (problem: Problem) => unknown = asItIs,
): Form<unknown> {
  const { run, ...doing } = useDoing(inWords);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement, event.submitter);
    return run(() => act(form));
  };
  return { ...doing, submit };
}
