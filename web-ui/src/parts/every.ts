import { useEffect, useRef } from 'preact/hooks';

/** Calls `act` every `ms` while the page is visible. */
export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) act();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, act]);
}

/** Calls `act` when a value changes; not for the first value, nor while it is undefined. */
export function useChange(value: unknown, act: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    const known = before.current !== undefined;
    const changed = before.current !== value;
    before.current = value;
    if (known && changed) act();
  }, [value, act]);
}
