import { wayPath } from '../../../src/platform/look.ts';

/**
 * The icons of this product: 20 by 20, one stroke of 1.6, no fill. What they are built from is the
 * way of the data: a round thing is a device or a person, a square one the box, a curve the cloud.
 */
const drawings = {
  today: 'M2.5 17h15M2.5 13.5c3 0 3-9 5.5-9s2.5 5.5 4.5 5.5 2-2.5 5-2.5',
  attendance: 'M10.5 6a3 3 0 1 1-6 0a3 3 0 1 1 6 0M2 17c0-3.5 2.5-5.5 5.5-5.5 1.3 0 2.5.4 3.4 1M12.5 14.5l2 2 4-4.5',
  schedules:
    'M3.5 3.5h6a1 1 0 0 1 0 3.5h-6a1 1 0 0 1 0-3.5zM9.5 8.3h6.5a1 1 0 0 1 0 3.5H9.5a1 1 0 0 1 0-3.5zM5.5 13.1h6a1 1 0 0 1 0 3.5h-6a1 1 0 0 1 0-3.5z',
  people:
    'M10 6.5a3 3 0 1 1-6 0a3 3 0 1 1 6 0M1.5 17c0-3.5 2.5-5.5 5.5-5.5s5.5 2 5.5 5.5M13 3.7a3 3 0 0 1 0 5.6M15 12c2 .7 3.5 2.4 3.5 5',
  access: 'M5 17.5v-14h10v14M2.5 17.5h15M12 10v1',
  devices:
    'M6.5 2h7A1.5 1.5 0 0 1 15 3.5v13a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 5 16.5v-13A1.5 1.5 0 0 1 6.5 2zM12.3 7.5a2.3 2.3 0 1 1-4.6 0a2.3 2.3 0 1 1 4.6 0M8 14h4',
  commission: 'M2.5 6.5v-4h4M13.5 2.5h4v4M17.5 13.5v4h-4M6.5 17.5h-4v-4M10 7v6M7 10h6',
  sync: 'M2.5 7h13.5l-3.5-3.5M17.5 13H4l3.5 3.5',
  integrations:
    'M7 3C5 3 4.5 4 4.5 5.5v2C4.5 9 4 10 2.5 10c1.5 0 2 1 2 2.5v2C4.5 16 5 17 7 17M13 3c2 0 2.5 1 2.5 2.5v2c0 1.5.5 2.5 2 2.5-1.5 0-2 1-2 2.5v2c0 1.5-.5 2.5-2.5 2.5M8.5 10h3',
  logs: 'M3 4.5h2M8 4.5h9M3 10h2M8 10h6M3 15.5h2M8 15.5h8',
  system: 'M2.5 6h9M15.5 6h2M15.5 6a2 2 0 1 1-4 0a2 2 0 1 1 4 0M2.5 14h2M8.5 14h9M8.5 14a2 2 0 1 1-4 0a2 2 0 1 1 4 0',
  docs: 'M3 3.5h5A2 2 0 0 1 10 5.5V17a2 2 0 0 0-2-1.5H3zM17 3.5h-5a2 2 0 0 0-2 2V17a2 2 0 0 1 2-1.5h5z',
  search: 'M13.5 8.5a5 5 0 1 1-10 0a5 5 0 1 1 10 0M12.2 12.2l5 5',
  more: 'M3 5.5h14M3 10h14M3 14.5h14',
  box: 'M4.5 3h11A1.5 1.5 0 0 1 17 4.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15.5v-11A1.5 1.5 0 0 1 4.5 3zM6.5 10l2.5 2.5 4.5-5',
  cloud: 'M6 15.5h8.5a3.5 3.5 0 0 0 .6-6.95A5.2 5.2 0 0 0 5.1 9.4A3.1 3.1 0 0 0 6 15.5z',
  language:
    'M17.5 10a7.5 7.5 0 1 1-15 0a7.5 7.5 0 1 1 15 0M2.5 10h15M10 2.5c3 2.5 3 12.5 0 15M10 2.5c-3 2.5-3 12.5 0 15',
  theme: 'M17.5 10a7.5 7.5 0 1 1-15 0a7.5 7.5 0 1 1 15 0M10 2.5v15M12.5 3.2v13.6M15 5v10',
  density: 'M3 3.5h14M3 7.8h14M3 12.2h14M3 16.5h14',
  out: 'M8 3H4.5A1.5 1.5 0 0 0 3 4.5v11A1.5 1.5 0 0 0 4.5 17H8M8 10h9.5M14 6.5l3.5 3.5-3.5 3.5',
} as const;

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
