import { signal } from '@preact/signals';
import { area } from '../../words/index.ts';

const inChinese = signal<Readonly<Record<string, string>>>({});

/** Fetched when somebody reads the page in Chinese, and not before. */
export async function fetchTexts(): Promise<void> {
  const { allTexts } = await import('./texts/all.ts');
  inChinese.value = allTexts;
}

/**
 * Text of the box's document for a parameter, a field or an answer, in the language of the page.
 * Texts of a newer box are shown as they are.
 */
export const textWords = area(
  { of: (text: string) => text },
  { of: text => (Object.hasOwn(inChinese.value, text) ? inChinese.value[text]! : text) },
);
