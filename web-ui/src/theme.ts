import { effect, signal } from '@preact/signals';
import { kept } from './kept.ts';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const chosen = localStorage.getItem(kept.theme);
export const theme = signal<Theme>(themes.find(one => one === chosen) ?? 'auto');

effect(() => {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(kept.theme, theme.value);
});

export const nextTheme = (): void => {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
};
