import { effect, signal } from '@preact/signals';

/** How high the rows of tables are; kept in this browser. */
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const key = 'gatehouse-density';
const kept = localStorage.getItem(key);
export const density = signal<Density>(densities.find(one => one === kept) ?? 'comfortable');

effect(() => {
  if (density.value === 'comfortable') delete document.documentElement.dataset.density;
  else document.documentElement.dataset.density = density.value;
  localStorage.setItem(key, density.value);
});

export const nextDensity = (): void => {
  density.value = density.value === 'compact' ? 'comfortable' : 'compact';
};
