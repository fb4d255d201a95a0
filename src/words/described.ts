declare const inBothLanguages: unique symbol;

/**
 * Description of a part of an API, in English and in Chinese. Both are in one string, since zod and
 * the registry of OpenAPI take nothing else; `inLanguage` takes them apart.
 */
export type Described = string & { readonly [inBothLanguages]: true };

/** Unit separator of ASCII: no text for people has one. */
const between = '\u001f';

export const described = (en: string, zh: string): Described => `${en}${between}${zh}` as Described;

/** The same with both texts changed alike, such as by a name before them. */
export const reworded = (text: Described, change: (text: string) => string): Described =>
  text.split(between).map(change).join(between) as Described;

/** Both texts, for a reader that chooses. */
export function inBoth(text: Described): { readonly en: string; readonly zh: string } {
  const [en = '', zh = en] = text.split(between);
  return { en, zh };
}

/** Replacer for `JSON.stringify`: of each description, the text in one language. */
export const inLanguage = (language: 'en' | 'zh') => (_key: string, value: unknown) => {
  if (typeof value !== 'string') return value;
  return inBoth(value as Described)[language];
};
