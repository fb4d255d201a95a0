import type { JSX } from 'preact';

/** Kind of a day of the month, for its mark; each differs by shape as well as by colour. */
export type MarkName =
  | 'ok'
  | 'late'
  | 'missing_in'
  | 'missing_out'
  | 'absent'
  | 'leave'
  | 'not_known_yet'
  | 'extra'
  | 'off'
  | 'running'
  | 'to_come'
  | 'none'
  | 'not_employed';

const ring = <circle cx="6" cy="6" r="4.2" fill="none" />;

/** On 12 by 12. */
const shapes: Readonly<Record<MarkName, JSX.Element | null>> = {
  ok: <circle cx="6" cy="6" r="5" stroke="none" />,
  // A disc of which a quarter is missing.
  late: <path d="M6 6V1a5 5 0 1 0 5 5z" stroke="none" />,
  // Open where the check-in is missing: at the left the start, at the right the end.
  missing_in: <path d="M3 1h8v10H3M7.5 3.5v5" fill="none" />,
  missing_out: <path d="M9 1H1v10h8M4.5 3.5v5" fill="none" />,
  absent: <path d="M1.5 1.5l9 9M10.5 1.5l-9 9" fill="none" />,
  leave: <path d="M6 1l5 5-5 5-5-5z" fill="none" />,
  not_known_yet: <circle cx="6" cy="6" r="4.2" fill="none" stroke-dasharray="2.2 2.2" />,
  extra: <path d="M6 1v10M1 6h10" fill="none" />,
  off: <path d="M4 6h4" fill="none" />,
  running: ring,
  to_come: <circle cx="6" cy="6" r="1.2" stroke="none" />,
  none: <circle cx="6" cy="6" r="1.2" stroke="none" />,
  not_employed: null,
};

export const DayMark = ({ mark }: { mark: MarkName }) => (
  <svg class={`mark ${mark}`} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
    {shapes[mark]}
  </svg>
);
