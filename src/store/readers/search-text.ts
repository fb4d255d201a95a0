/**
 * Form of a search text that is compared with the keys of names (search-keys.ts): `Zhang Wei` is
 * `zhangwei`. Empty if the text is no pinyin, so that only names, numbers and ids are searched.
 */
export function pinyinText(text: string): string {
  const letters = text
    .toLowerCase()
    .replaceAll('\u00fc', 'v')
    .normalize('NFD')
    .replace(/[\u0300-\u036f\s'\u2019-]/g, '');
  return /^[a-z]+$/.test(letters) ? letters : '';
}
