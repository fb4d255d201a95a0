import { useSignal } from '@preact/signals';
import { words } from '../words/index.ts';

/** Copies a text, and confirms it. */
export function CopyButton({ text }: { text: string }) {
  const copied = useSignal('');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = text;
  };
  return (
    <button type="button" class="act go" onClick={() => void copy()}>
      <span role="status">{copied.value === text ? words.value.act.copied : words.value.act.copy}</span>
    </button>
  );
}
