import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Part of the page that is open, for its title and the browser's tab; empty: the page as a whole. */
export const pagePart = signal('');

/** Names the part or the thing that is shown: "Backup", or a device. */
export function usePagePart(part: string): void {
  useEffect(() => {
    pagePart.value = part;
    return () => {
      pagePart.value = '';
    };
  }, [part]);
}
