import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api.ts';
import { Dialog, DialogButtons } from './dialog.tsx';
import { useForm } from './doing.ts';
import { ProblemNotice } from './notices.tsx';

export interface AskDialogOptions {
  readonly title: string;
  /** On the button that does it. */
  readonly go: string;
  readonly danger?: boolean;
  /** A second button that does more: the form then holds `also`. Enter never presses it. */
  readonly also?: string | undefined;
  /** The class of its form, where it looks different. */
  readonly kind?: string;
  readonly run: (form: FormData) => Promise<unknown>;
  /** A refusal in the words of the page; null: the page shows it itself. */
  readonly inWords?: (problem: Problem) => Problem | null;
  readonly close: () => void;
  readonly children?: ComponentChildren;
}

/** A dialog whose form does one thing at the box, once at a time, or says why it was not done. */
export function AskDialog({ title, go, danger = false, also, kind, run, inWords, close, children }: AskDialogOptions) {
  const { busy, refused, submit } = useForm(run, inWords);
  return (
    <Dialog title={title} close={close}>
      <form class={kind} onSubmit={submit}>
        {children}
        <ProblemNotice problem={refused.value} />
        <DialogButtons go={go} busy={busy.value} danger={danger} close={close} />
        {/* Behind the other: Enter in a field presses the first button, which must do less. */}
        {also !== undefined && (
          <p>
            <button type="submit" class="act" name="also" value="yes" disabled={busy.value}>
              {also}
            </button>
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** A button that opens such a dialog, which closes when it was done. */
export function AskButton({
  label,
  name,
  run,
  done,
  ...dialog
}: Omit<AskDialogOptions, 'close'> & {
  readonly label: string;
  /** Name for screen readers, in place of the label. */
  readonly name?: string;
  readonly done: () => void;
}) {
  const open = useSignal(false);
  const close = () => {
    open.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="act small"
        aria-label={name}
        onClick={() => {
          open.value = true;
        }}
      >
        {label}
      </button>
      {open.value && (
        <AskDialog
          {...dialog}
          close={close}
          run={async form => {
            await run(form);
            close();
            done();
          }}
        />
      )}
    </>
  );
}
