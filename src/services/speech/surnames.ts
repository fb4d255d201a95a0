import surnamesAsRead from './surnames.generated.json' with { type: 'json' };

const table = new Map<string, string>(Object.entries(surnamesAsRead));

/**
 * Writes a personal name (SPEC 4.7, mode 1) so that its surname is read as a surname: 单雄信 as 擅雄信
 * (shàn, not dān), 尉迟恭 as 玉迟恭. Only the surname that the text begins with, and only where it is not
 * read as it is written; a character with the same sound keeps voice and tone, which phonemes or
 * pinyin in the text would not.
 */
export function nameAsRead(name: string): string {
  const [first = '', second = ''] = name;
  for (const surname of [first + second, first]) {
    const asRead = table.get(surname);
    if (asRead !== undefined) return asRead + name.slice(surname.length);
  }
  return name;
}
