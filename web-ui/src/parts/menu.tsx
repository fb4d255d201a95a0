import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import './menu.css';

/** Those that are shown: some stand in the row itself where it is wide enough. */
const itemsIn = (place: HTMLElement | null): HTMLElement[] =>
  [...(place?.querySelectorAll<HTMLElement>('.menu-items button') ?? [])].filter(
    one => one.getClientRects().length > 0,
  );

/**
 * Deeds that few want and nobody should hit by mistake, behind "⋯". It stands above whatever
 * scrolls, and closes with Escape, with Tab, with a press beside it, and when something in it was
 * chosen; the focus is then on "⋯" again, or in the dialog that was opened.
 */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const at = useSignal<string | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  const isOpen = at.value !== null;
  const open = () => {
    const { top, bottom, right } = place.current!.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    // In the lower half there may be no room below, or the bar of a phone.
    const side = bottom > clientHeight / 2 ? `bottom: ${clientHeight - top}px` : `top: ${bottom}px`;
    at.value = `${side}; right: ${clientWidth - right}px`;
  };
  useLayoutEffect(() => {
    if (!isOpen) return;
    itemsIn(place.current)[0]?.focus();
    const close = () => {
      at.value = null;
    };
    const pressed = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) close();
    };
    addEventListener('pointerdown', pressed);
    addEventListener('scroll', close, true);
    addEventListener('resize', close);
    return () => {
      removeEventListener('pointerdown', pressed);
      removeEventListener('scroll', close, true);
      removeEventListener('resize', close);
    };
  }, [isOpen, at]);
  const leave = () => {
    at.value = null;
    place.current?.querySelector('button')?.focus();
  };
  const byKey = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const items = itemsIn(place.current);
    const here = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length)!.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the buttons within.
    <span class="menu" ref={place} onKeyDown={byKey}>
      <button
        type="button"
        class="act"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => {
          if (isOpen) at.value = null;
          else open();
        }}
      >
        ⋯
      </button>
      {at.value && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a click on a button within comes from its keys as well.
        // biome-ignore lint/a11y/noStaticElementInteractions: closes behind what a button within does.
        <span class="menu-items" style={at.value} onClick={leave}>
          {children}
        </span>
      )}
    </span>
  );
}
