import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

/** A label with its input; `hint` and `problem` are read out with it. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: { label: string; hint?: string; problem?: string | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <label class="field">
      {label}
      <input {...input} aria-describedby={hint || problem ? id : undefined} aria-invalid={problem ? true : undefined} />
      {(hint || problem) && (
        <span id={id} class={problem ? 'bad' : 'quiet'}>
          {problem ?? hint}
        </span>
      )}
    </label>
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
  return (
    <label class="field">
      {label}
      <select {...select}>{children}</select>
    </label>
  );
}
