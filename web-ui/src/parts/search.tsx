import { useEffect, useRef } from 'preact/hooks';
import { Field } from './field.tsx';

const pauseMs = 300;

/** A search that waits until the typing stops. */
export function Search({ label, value, search }: { label: string; value: string; search: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The latest `search` knows what else was chosen meanwhile.
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Field
      label={label}
      type="search"
      defaultValue={value}
      onInput={event => {
        const text = event.currentTarget.value;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => latest.current(text), pauseMs);
      }}
    />
  );
}
