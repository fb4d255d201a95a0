import lines from './words.generated.json' with { type: 'json' };

let table: Map<string, string> | undefined;

/**
 * Writes a text so that a voice that reads character by character reads its words right: 银行 as 银航
 * (háng, not xíng), 重庆 as 崇庆, and single characters that espeak-ng has wrong. The longest word
 * counts, from the left, of at most `longest` characters.
 */
export function wordsAsRead(text: string, longest: 1 | 3 = 3): string {
  table ??= new Map(
    lines
      .flatMap(line => line.split(' '))
      .map(entry => [entry.slice(0, entry.length / 2), entry.slice(entry.length / 2)]),
  );
  let written = '';
  for (let at = 0; at < text.length; ) {
    let word = text.slice(at, at + longest);
    while (word.length > 1 && !table.has(word)) word = word.slice(0, -1);
    written += table.get(word) ?? word;
    at += word.length;
  }
  return written;
}
