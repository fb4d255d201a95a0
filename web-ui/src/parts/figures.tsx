import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export interface Figure {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly value: ComponentChildren;
  /** After the value, smaller: of how many, or its unit. */
  readonly of?: string;
  /** Meaning of the figure, or its previous value. */
  readonly note?: ComponentChildren;
  /** The page that says more. */
  readonly href?: string;
  /** Need of attention: marked by a bar as well as a colour. */
  readonly state?: 'warn' | 'bad' | undefined;
  /** The value is a few words rather than a number. */
  readonly isText?: boolean;
}

/** Large figures, where one number is the answer. */
export const Figures = ({ label, figures }: { readonly label: string; readonly figures: readonly Figure[] }) => (
  <ul class="figures" aria-label={label}>
    {figures.map(({ key, icon, label, value, of, note, href, state, isText }) => (
      <li key={key} class={state}>
        <span class="label">
          <Icon name={icon} />
          {href === undefined ? label : <a href={href}>{label}</a>}
        </span>
        <b class={isText ? 'text' : undefined}>
          {value}
          {of !== undefined && <small> {of}</small>}
        </b>
        <span class="note">{note ?? '\u00a0'}</span>
      </li>
    ))}
  </ul>
);
