import { effect, signal } from '@preact/signals';
import { kept } from './kept.ts';

/** How high the rows of tables are; kept in this browser. */
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const chosen = localStorage.getItem(kept.density);
export const density = signal<Density>(densities.find(one => one === chosen) ?? 'comfortable');

effect(() => {
  if (density.value === 'comfortable') delete document.documentElement.dataset.density;
  else document.documentElement.dataset.density = density.value;
  localStorage.setItem(kept.density, density.value);
});

export const nextDensity = (): void => {
  density.value = density.value === 'compact' ? 'comfortable' : 'compact';
};
