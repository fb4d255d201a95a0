import { useEffect } from 'preact/hooks';

/** Does it again and again while the page is looked at. */
export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) act();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, act]);
}
