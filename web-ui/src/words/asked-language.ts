import { kept } from '../kept.ts';

export type Language = 'en' | 'zh-CN';

export const languageIn = (locale: string): Language => (/^zh\b/i.test(locale) ? 'zh-CN' : 'en');

/**
 * Language asked for; null if neither the reader nor the browser asks for one that the pages have.
 */
export function askedLanguage(): Language | null {
  const chosen = localStorage.getItem(kept.language);
  const found = [...(chosen === null ? [] : [chosen]), ...navigator.languages].find(one => /^(zh|en)\b/i.test(one));
  return found === undefined ? null : languageIn(found);
}
