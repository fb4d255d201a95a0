/**
 * What a search text is compared with in the keys of names (search-keys.ts): `Zhang Wei` is
 * `zhangwei`. Empty: the text is no pinyin, and only names, numbers and ids are searched.
 */
export function pinyinText(text: string): string {
  const letters = text
    .toLowerCase()
    .replaceAll('\u00fc', 'v')
    .normalize('NFD')
    .replace(/[\u0300-\u036f\s'\u2019-]/g, '');
  return /^[a-z]+$/.test(letters) ? letters : '';
}
