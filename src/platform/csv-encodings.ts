/** Code pages of the writing of lists: those that `TextDecoder` has. */
const codePages = {
  western: ['windows-1252', 'iso-8859-15', 'macintosh'],
  central: ['windows-1250', 'iso-8859-2'],
  cyrillic: ['windows-1251', 'koi8-r', 'koi8-u', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'],
  greek: ['windows-1253', 'iso-8859-7'],
  turkish: ['windows-1254'],
  baltic: ['windows-1257', 'iso-8859-13', 'iso-8859-4'],
  hebrew: ['windows-1255', 'iso-8859-8-i'],
  arabic: ['windows-1256', 'iso-8859-6'],
  thai: ['windows-874'],
  vietnamese: ['windows-1258'],
  simplified: ['gb18030'],
  traditional: ['big5'],
  japanese: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
  korean: ['euc-kr'],
} as const;
export type Writing = keyof typeof codePages;
export type CodePage = (typeof codePages)[Writing][number];

/** The encodings of CSV files that may be chosen. */
export const csvEncodings = ['utf-8', ...Object.values(codePages).flat()] as const;
export type CsvEncoding = (typeof csvEncodings)[number];

/** Undefined: of an encoding that has all of them. */
export const writingOf = (encoding: string): Writing | undefined =>
  (Object.keys(codePages) as Writing[]).find(writing => (codePages[writing] as readonly string[]).includes(encoding));
