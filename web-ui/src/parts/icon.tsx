import { wayPath } from '../../../src/platform/look.ts';
import { drawings } from './drawings.ts';

export type IconName = keyof typeof drawings;

/** Beside a word that says the same: it is not read out. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={drawings[name]} />
  </svg>
);

/** The mark of the product: the way of the data. */
export const Way = () => (
  <svg class="icon way" viewBox="0 0 64 24" width="64" height="24" aria-hidden="true" focusable="false">
    <path d={wayPath} />
  </svg>
);
