import { signal } from '@preact/signals';

/** Which part of a page is open, for the title of the browser's tab; empty: the page has no parts. */
export const pagePart = signal('');
