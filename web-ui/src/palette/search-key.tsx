import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { may } from '../session.ts';
import { words } from '../words/index.ts';
import { paletteOpened } from './opened.ts';

/** Opens the search: in the rail, and above the page on a phone. */
export const SearchButton = ({ place }: { place: 'rail' | 'phone' }) =>
  may('viewer') ? (
    <button
      type="button"
      class={`search-button in-${place}`}
      aria-haspopup="dialog"
      aria-keyshortcuts="/ Control+K"
      onClick={() => {
        paletteOpened.value = true;
      }}
    >
      <Icon name="search" />
      <span class={place === 'phone' ? 'heard-only' : undefined}>{words.value.list.search}</span>
      {place === 'rail' && (
        <span class="key" aria-hidden="true">
          /
        </span>
      )}
    </button>
  ) : null;

/**
 * The search on every page: `/` opens it where nothing is being typed, Ctrl-K everywhere, but not
 * above a dialog. Its code is fetched when it is opened for the first time.
 */
export function SearchKey() {
  const [palette, show] = useState<{ readonly Palette: ComponentType } | null>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyped(event.target);
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!(isSlash || isCtrlK) || event.isComposing || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (may('viewer')) paletteOpened.value = true;
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const isOpen = paletteOpened.value;
  useEffect(() => {
    if (!isOpen || palette) return;
    import('./palette.tsx').then(show, () => {
      // The box does not answer: the line at the top says so, and the next try fetches it again.
      paletteOpened.value = false;
    });
  }, [isOpen, palette]);
  return isOpen && palette ? h(palette.Palette, null) : null;
}

const isTyped = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
