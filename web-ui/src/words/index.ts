import { computed, effect, signal } from '@preact/signals';
import { en, type Said, type Words } from './en.ts';
import { zh } from './zh.ts';

export type Language = 'en' | 'zh-CN';
export type { Words };

const key = 'gatehouse-language';
const all: Readonly<Record<Language, Words>> = { en, 'zh-CN': zh };

/** Null: neither the reader nor the browser asks for a language that the pages have. */
const asked = (): Language | null => {
  const kept = localStorage.getItem(key);
  const found = [...(kept === null ? [] : [kept]), ...navigator.languages].find(one => /^(zh|en)\b/i.test(one));
  return found === undefined ? null : languageIn(found);
};
const languageIn = (locale: string): Language => (/^zh\b/i.test(locale) ? 'zh-CN' : 'en');

export const language = signal<Language>(asked() ?? 'en');

/** The language of the box, for a browser that asks for none that the pages have. */
export function languageOfBox(locale: string): void {
  if (asked() === null) language.value = languageIn(locale);
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
  localStorage.setItem(key, next);
  language.value = next;
}

/**
 * The words of one page, in a file beside it. Both languages must have the same keys, or it does
 * not compile.
 */
export const area = <const T extends object>(english: T, chinese: Said<T>): { readonly value: Said<T> } =>
  computed(() => (language.value === 'en' ? (english as unknown as Said<T>) : chinese));
