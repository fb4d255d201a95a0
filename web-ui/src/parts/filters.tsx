import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../words/index.ts';
import './filters.css';

/**
 * Fields that narrow a list, and deeds that few need at once; on a phone behind a button, which says
 * how many of the fields are in use.
 */
export function Filters({ inUse, children }: { inUse: number; children: ComponentChildren }) {
  const id = useId();
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="act filters-button no-print"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {`${words.value.list.filters}${inUse > 0 ? ` (${inUse})` : ''}`}
      </button>
      <div id={id} class={isOpen.value ? 'filters open' : 'filters'}>
        {children}
      </div>
    </>
  );
}
