import { useEffect } from 'preact/hooks';
import { useInUrl } from './in-url.ts';

/**
 * Opens a dialog of a page whose address ends with `?do=NAME`, as an action of the search does, and
 * takes that out of the address again.
 */
export function useDoInUrl(name: string, open: () => void): void {
  const { values, set } = useInUrl();
  const isAsked = values.do === name;
  useEffect(() => {
    if (!isAsked) return;
    set({ do: undefined });
    open();
  }, [isAsked]);
}
