import { computed, effect, signal } from '@preact/signals';
import { kept } from '../kept.ts';
import { askedLanguage, type Language, languageIn } from './asked-language.ts';
import { en, type Said, type Words } from './en.ts';
import { zh } from './zh.ts';

export type { Language, Words };

const all: Readonly<Record<Language, Words>> = { en, 'zh-CN': zh };

export const language = signal<Language>(askedLanguage() ?? 'en');

/** The language of the box, for a browser that asks for none that the pages have. */
export function languageOfBox(locale: string): void {
  if (askedLanguage() === null) language.value = languageIn(locale);
}

/**
 * The words of the language that is chosen: a component that reads it is rendered again when it
 * changes.
 */
export const words = computed(() => all[language.value]);

effect(() => {
  document.documentElement.lang = language.value;
});

export function chooseLanguage(next: Language): void {
  localStorage.setItem(kept.language, next);
  language.value = next;
}

/**
 * The words of one page, in a file beside it. Both languages must have the same keys, or it does
 * not compile.
 */
export const area = <const T extends object>(english: T, chinese: Said<T>): { readonly value: Said<T> } =>
  computed(() => (language.value === 'en' ? (english as unknown as Said<T>) : chinese));
