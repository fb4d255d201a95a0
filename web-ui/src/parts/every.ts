import { useEffect, useRef } from 'preact/hooks';

/** Runs it repeatedly while the page is visible. */
export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) act();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, act]);
}

/**
 * Does it when a value is another than before; not for the first one, nor while it is not known.
 */
export function useChange(value: unknown, act: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    const known = before.current !== undefined;
    const changed = before.current !== value;
    before.current = value;
    if (known && changed) act();
  }, [value, act]);
}
