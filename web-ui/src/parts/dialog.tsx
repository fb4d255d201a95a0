import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../words/index.ts';

/**
 * A modal dialog of the browser's own: it keeps the focus, and Escape closes it, after a question
 * where something was typed. Shown for as long as it is there; then the focus is again where it
 * was.
 */
export function Dialog({
  title,
  children,
  close,
  kind,
}: {
  title: string;
  children: ComponentChildren;
  close: () => void;
  /** Its class, where it looks different. */
  kind?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const leaving = useRef(false);
  const wasTyped = useRef(false);
  const asks = useSignal(false);
  useEffect(() => {
    const shown = dialog.current;
    const before = hasFocus() ? document.activeElement : lastFocused;
    shown?.showModal();
    return () => {
      // The browser reports the closing later: by then another dialog may be shown here, which must
      // stay open.
      leaving.current = true;
      shown?.close();
      giveFocusBack(before);
    };
  }, []);
  /**
   * Escape: the owner of the dialog removes it. If the browser did, its close event would come late
   * and remove a dialog that was opened meanwhile.
   */
  const away = (event: Event) => {
    event.preventDefault();
    if (wasTyped.current && !asks.peek()) asks.value = true;
    else close();
  };
  return (
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby="dialog-title"
      onCancel={away}
      onClose={() => !leaving.current && close()}
      onInput={() => {
        wasTyped.current = true;
      }}
    >
      <h1 id="dialog-title">{title}</h1>
      {children}
      {asks.value && (
        <div class="notice" role="alert">
          <p>{words.value.act.typed}</p>
          <p class="bar">
            <button type="button" class="act danger" onClick={close}>
              {words.value.act.discard}
            </button>
            <button
              type="button"
              class="act"
              onClick={() => {
                asks.value = false;
              }}
            >
              {words.value.act.goOn}
            </button>
          </p>
        </div>
      )}
    </dialog>
  );
}

/**
 * Last element that had the focus: a button that is disabled while the box is asked has lost it by
 * the time its dialog opens.
 */
let lastFocused: Element | null = null;
addEventListener('focusin', ({ target }) => {
  lastFocused = target as Element;
});

const hasFocus = (): boolean => document.activeElement !== null && document.activeElement !== document.body;

/**
 * To where the focus was before the dialog: a browser gives it back only to an element that is
 * still there when the dialog closes, and not when a button was replaced by the same one drawn
 * again.
 */
export function giveFocusBack(before: Element | null): void {
  requestAnimationFrame(() => {
    if (hasFocus()) return;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    else document.getElementById('content')?.focus({ preventScroll: true });
  });
}

/** The row of buttons at the end of a dialog's form. */
export function DialogButtons({
  go,
  busy,
  danger,
  close,
}: {
  go: string;
  busy: boolean;
  danger?: boolean;
  close: () => void;
}) {
  return (
    <p class="bar">
      <button type="submit" class={danger ? 'act danger' : 'act go'} disabled={busy}>
        {go}
      </button>
      <button type="button" class="act" onClick={close}>
        {words.value.act.cancel}
      </button>
    </p>
  );
}
