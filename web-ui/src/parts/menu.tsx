import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './menu.css';

/**
 * Deeds that few want and nobody should hit by mistake, behind "⋯". It stands above whatever
 * scrolls, and closes with Escape, with a press beside it, and when something in it was chosen.
 */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const at = useSignal<{ readonly top: number; readonly right: number } | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  const isOpen = at.value !== null;
  const open = () => {
    const { bottom, right } = place.current!.getBoundingClientRect();
    at.value = { top: bottom, right: document.documentElement.clientWidth - right };
  };
  useEffect(() => {
    if (!isOpen) return;
    place.current?.querySelector<HTMLElement>('.menu-items button')?.focus();
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
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    at.value = null;
    place.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears Escape of the buttons within.
    <span class="menu" ref={place} onKeyDown={closeByKey}>
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
        <span
          class="menu-items"
          style={{ top: `${at.value.top}px`, right: `${at.value.right}px` }}
          onClick={() => {
            at.value = null;
          }}
        >
          {children}
        </span>
      )}
    </span>
  );
}
