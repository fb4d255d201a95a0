import { signal } from '@preact/signals';
import { area } from '../../words/index.ts';

const inChinese = signal<Readonly<Record<string, string>>>({});

/** Fetched when somebody reads the page in Chinese, and not before. */
export async function fetchTexts(): Promise<void> {
  const { allTexts } = await import('./texts/all.ts');
  inChinese.value = allTexts;
}

/**
 * What the document of the box says of a parameter, a field or an answer, in the language of the
 * page. What a newer box says is shown as it is.
 */
export const textWords = area(
  { of: (text: string) => text },
  { of: text => (Object.hasOwn(inChinese.value, text) ? inChinese.value[text]! : text) },
);
