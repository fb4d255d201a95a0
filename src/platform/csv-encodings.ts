/** The encodings of CSV files that may be chosen: UTF-8, and the code pages of Excel. */
export const csvEncodings = [
  ...(['utf-8', 'windows-1252', 'iso-8859-15', 'windows-1250', 'windows-1251'] as const),
  ...(['gb18030', 'big5', 'shift_jis', 'euc-kr'] as const),
] as const;
export type CsvEncoding = (typeof csvEncodings)[number];
/** All but UTF-8: what no byte tells. */
export type CodePage = Exclude<CsvEncoding, 'utf-8'>;
