import { type Sentence, sentences, type Written } from './sentences.ts';

/** Result of a check, and its remedy, of the same values; null: nothing is to be done. */
export interface FindingText<P> extends Sentence<P> {
  readonly todo: Sentence<P> | null;
}

export const finding = <P>(en: Written<P>, zh: Written<P>, todo: Sentence<P> | null = null): FindingText<P> => ({
  en,
  zh,
  todo,
});

export const setClock: Sentence<unknown> = { en: 'set the clock of the box', zh: '请校准网关的时钟。' };

/** By `remedy_of_` and the code of the finding. */
export const remediesOf = (texts: Readonly<Record<string, { readonly todo: unknown }>>) =>
  sentences(
    Object.fromEntries(
      Object.entries(texts).flatMap(([code, { todo }]) =>
        todo ? [[`remedy_of_${code}`, todo as Sentence<unknown>]] : [],
      ),
    ),
  );
