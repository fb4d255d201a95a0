import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { failureWords } from './said.ts';

interface Going {
  readonly running: Signal<boolean>;
  readonly problem: Signal<string>;
  readonly events: Signal<readonly ProvisionEvent[]>;
  readonly go: (act: (onEvent: (event: ProvisionEvent) => void, signal: AbortSignal) => Promise<void>) => Promise<void>;
}

/** A run of the box as long as the page is open. */
export function useRun(): Going {
  const running = useSignal(false);
  const problem = useSignal('');
  const events = useSignal<readonly ProvisionEvent[]>([]);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);
  const go: Going['go'] = async act => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    events.value = [];
    problem.value = '';
    running.value = true;
    try {
      await act(event => {
        events.value = [...events.peek(), event];
      }, signal);
    } catch (error) {
      if (!signal.aborted) problem.value = failureWords(error);
    }
    running.value = false;
  };
  return { running, problem, events, go };
}
