/** A stretch of text with the voice of espeak-ng that reads it. */
interface VoicedText {
  readonly voice: string;
  readonly text: string;
}

/**
 * Reads Chinese characters right in every version. The plain voice `cmn` of 1.51 (Debian 12) reads
 * them as English letters with the number of the tone, 单 as "dan one".
 */
const mandarin = 'cmn-latn-pinyin';
const english = 'en';

/**
 * Words in Latin letters, also several in a row; not the digits beside them, which are read as the
 * rest of the text is.
 */
const latinWords = /(\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:[ .,&'’-]+\p{Script=Latin}[\p{Script=Latin}\p{M}]*)*)/u;

/**
 * Parts a text by who can read it: a text without Chinese characters is English, in any other the
 * Latin words are, since the Mandarin voice would read them as pinyin (`can` as cān). Parts without
 * words are left out.
 */
export function voicedTexts(text: string): VoicedText[] {
  const parts = /\p{Script=Han}/u.test(text)
    ? text.split(latinWords).map((part, index) => ({ voice: index % 2 === 1 ? english : mandarin, text: part.trim() }))
    : [{ voice: english, text }];
  return parts.filter(part => /[\p{L}\p{N}\p{S}]/u.test(part.text));
}
