import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { words } from '../words/index.ts';
import { giveFocusBack } from './dialog.tsx';
import './toast.css';

interface Toast {
  /** Another one for each deed: the same sentence is read aloud again. */
  readonly no: number;
  readonly sentence: string;
  /** Undoes the deed and returns whether it did; null: nothing to undo. */
  readonly undo: (() => Promise<boolean>) | null;
  /** Page of the deed. The toast goes with it: a refusal of the undo is shown there. */
  readonly path: string;
}

const shown = signal<Toast | null>(null);

const shownMs = 10_000;
const undoableMs = 30_000;

/** Says that something was done. A refusal never comes here: it stays where the deed was. */
export function sayDone(sentence: string, undo: Toast['undo'] = null): void {
  shown.value = { no: (shown.peek()?.no ?? 0) + 1, sentence, undo, path: location.pathname };
}

const close = (): void => {
  shown.value = null;
};

/** The one place of the page where deeds are reported, read aloud when a sentence comes. */
export function ToastPlace() {
  const { path } = useLocation();
  const toast = shown.value;
  useEffect(() => {
    if (shown.peek()?.path !== path) close();
  }, [path]);
  return (
    <div class="toasts" role="status">
      {toast && <OneToast key={toast.no} toast={toast} />}
    </div>
  );
}

function OneToast({ toast }: { toast: Toast }) {
  const { sentence, undo } = toast;
  const place = useRef<HTMLDivElement>(null);
  const before = useRef<EventTarget | null>(null);
  useEffect(() => {
    // No timer is long enough for everybody who walks to Undo with Tab.
    if (undo && document.querySelector(':focus-visible')) return;
    const close = () => {
      if (shown.peek() === toast) shown.value = null;
    };
    const ms = undo ? undoableMs : shownMs;
    const isRead = () => place.current?.matches(':hover, :focus-within') === true;
    const look = () => {
      if (isRead()) timer = setTimeout(look, shownMs);
      else close();
    };
    let timer = setTimeout(look, ms);
    return () => clearTimeout(timer);
  }, [toast]);
  const leave = () => {
    const hadFocus = place.current?.contains(document.activeElement);
    close();
    if (hadFocus) giveFocusBack(before.current as Element | null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears Escape of the buttons within.
    <div
      ref={place}
      class="toast"
      onKeyDown={event => event.key === 'Escape' && leave()}
      onFocusIn={({ relatedTarget }) => {
        if (relatedTarget && !place.current?.contains(relatedTarget as Node)) before.current = relatedTarget;
      }}
    >
      <p>{sentence}</p>
      {undo && (
        <button
          type="button"
          class="act"
          onClick={() => {
            leave();
            void undo().then(isDone => {
              if (isDone && !shown.peek()) sayDone(words.value.act.undone);
            });
          }}
        >
          {words.value.act.undo}
        </button>
      )}
      <button type="button" class="close" aria-label={words.value.act.close} onClick={leave}>
        ×
      </button>
    </div>
  );
}
