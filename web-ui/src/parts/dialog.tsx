import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../words/index.ts';

/**
 * A modal dialog of the browser's own: it keeps the focus, and Escape closes it. Shown for as long
 * as it is there.
 */
export function Dialog({ title, children, close }: { title: string; children: ComponentChildren; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const leaving = useRef(false);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      // The browser reports the closing later: by then another dialog may be shown here, which must
      // stay open.
      leaving.current = true;
      shown?.close();
    };
  }, []);
  /**
   * Escape: the owner of the dialog removes it. If the browser did, its close event would come late
   * and remove a dialog that was opened meanwhile.
   */
  const away = (event: Event) => {
    event.preventDefault();
    close();
  };
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onCancel={away} onClose={() => !leaving.current && close()}>
      <h1 id="dialog-title">{title}</h1>
      {children}
    </dialog>
  );
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
