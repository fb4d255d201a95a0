import { signal } from '@preact/signals';

/** The time, updated every second, for ages. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
