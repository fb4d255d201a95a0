import { signal } from '@preact/signals';

/** The time, moved on every second: whoever shows an age reads it. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
