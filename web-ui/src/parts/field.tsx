import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { WhenInput } from './when-field.tsx';
import { isWhenKind } from './when-text.ts';

/** A label with its input; `hint` and `problem` are read out with it. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: { label: string; hint?: string; problem?: string | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const attributes = {
    ...input,
    id,
    'aria-describedby': hint || problem ? `${id}-hint` : undefined,
    'aria-invalid': problem ? (true as const) : undefined,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isWhenKind(input.type) ? <WhenInput {...attributes} kind={input.type} /> : <input {...attributes} />}
      {(hint || problem) && (
        <span id={`${id}-hint`} class={problem ? 'bad' : 'quiet'}>
          {problem ?? hint}
        </span>
      )}
    </div>
  );
}

/** Text in a field of a form. */
export const text = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** Which of these was chosen; the first if the form has none of them. */
export const chosen = <One extends string>(form: FormData, name: string, of: readonly [One, ...One[]]): One =>
  of.find(one => one === form.get(name)) ?? of[0];

export function Choice({
  label,
  children,
  ...select
}: { label: string; children: ComponentChildren } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select {...select} id={id}>
        {children}
      </select>
    </div>
  );
}
