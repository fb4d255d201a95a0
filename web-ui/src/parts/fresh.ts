import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listen, status } from '../live.ts';

/** A burst of check-ins asks once in so long. */
const atMostEveryMs = 1500;

/**
 * Calls `act` when a device changes its state or something else wants a person, and with `checkins`
 * when somebody checks in: at once, then at most every 1.5 s or `everyMs`. A page that takes its
 * sentence and its tables from one answer shows them change together.
 */
export function useFresh(
  act: () => void,
  { checkins = false, everyMs = atMostEveryMs }: { readonly checkins?: boolean; readonly everyMs?: number } = {},
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let actedAt = Number.NEGATIVE_INFINITY;
    const soon = () => {
      const waitMs = Math.max(0, actedAt + everyMs - performance.now());
      timer ??= setTimeout(() => {
        timer = undefined;
        actedAt = performance.now();
        act();
      }, waitMs);
    };
    let known: string | undefined;
    const stopWatching = effect(() => {
      if (!status.value) return;
      const { devices, standing } = status.value;
      const { states, refused, people_data_waits } = devices;
      const wants = standing?.map(({ kind, count, subject, severity }) => [kind, count, subject, severity]);
      const seen = JSON.stringify([states, refused, people_data_waits, wants]);
      if (known !== undefined && known !== seen) soon();
      known = seen;
    });
    const stopListening = checkins ? listen('checkin', soon) : () => {};
    return () => {
      stopWatching();
      stopListening();
      clearTimeout(timer);
    };
  }, [act, checkins, everyMs]);
}
