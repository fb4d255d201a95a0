import { type Signal, useSignal } from '@preact/signals';
import { may } from '../../session.ts';

/** Which dialog of a list is open, and the sentence about what was done last. */
export interface Opened<Dialog> {
  readonly shown: Dialog | null;
  readonly done: Signal<string>;
  show(dialog: Dialog): void;
  close(): void;
}

export function useOpened<Dialog>(): Opened<Dialog> {
  const open = useSignal<Dialog | null>(null);
  const done = useSignal('');
  const shown = open.value;
  return {
    shown,
    done,
    show: dialog => {
      open.value = dialog;
    },
    // A dialog reports its closing even when the next one has already replaced it.
    close: () => {
      if (open.peek() === shown) open.value = null;
    },
  };
}

/** Above a list: the button that adds to it, or `note` for those who may not, and what was done. */
export function ListHead({
  label,
  note,
  done,
  add,
}: Pick<Opened<never>, 'done'> & { readonly label: string; readonly note: string; readonly add: () => void }) {
  return (
    <>
      {may('admin') ? (
        <p class="bar">
          <button type="button" class="act go" onClick={add}>
            {label}
          </button>
        </p>
      ) : (
        <p class="quiet">{note}</p>
      )}
      <p role="status" class="ok">
        {done}
      </p>
    </>
  );
}
