/** Separated values as spreadsheets read them (RFC 4180). */

/** Excel takes a file without it for one in the local code page, and Chinese turns to garbage. */
export const byteOrderMark = '\ufeff';

export const csvSeparators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type CsvSeparator = (typeof csvSeparators)[keyof typeof csvSeparators];

/** The separator of spreadsheets in a language: `;` where the comma is for decimals. */
export const separatorIn = (locale: string): CsvSeparator =>
  new Intl.NumberFormat(locale).format(1.5).includes(',') ? ';' : ',';

/**
 * Start of a cell that a spreadsheet takes for a formula, also behind spaces and in the full-width
 * forms that it treats alike.
 */
const formula = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** The same behind what a spreadsheet of another language begins a cell or a row at. */
const inner = /([;,\t\r\n][ \u00a0\u3000]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?![+-][\d.]{1,20}(?:[;,\t\r\n]|$))/g;
const plainNumber = /^-?\d+(\.\d+)?$/;

/**
 * A cell that a spreadsheet would run is made text with an apostrophe in front. A spreadsheet that
 * expects another separator parts the cell, whether it is quoted or not: each part is made text.
 */
export const harmless = (text: string): string => {
  if (plainNumber.test(text)) return text;
  return (formula.test(text) ? `'${text}` : text).replace(inner, "$1'");
};

const quoted = (text: string): string => (/[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line with its end. */
export const csvLine = (cells: readonly string[], separator: CsvSeparator = ','): string =>
  rawCsvLine(cells.map(harmless), separator);

/** Whole numbers that a spreadsheet shows as they are written. */
const safeNumber = /^(-?[1-9]\d{0,10}|0)$/;
/** Of figures and their signs alone: numbers, dates, times, fractions, amounts, in any language. */
const figures = /^[\d\s.,:/()+\-%$\u20ac\u00a3\u00a5'\u2019\u5e74\u6708\u65e5\u65f6\u6642\u5206\u79d2]*$/;
const powers = /^[+-]?\d{1,20}([.,]\d{0,20})?e[+-]?\d{1,20}$/i;
const hours = /^\d{1,2}(:\d{2})?(:\d{2})?( ?[ap]m| [ap])$/i;
/** `MAR1`, `2-Dec`, `1. Mai 2026`: months of the languages of western and central Europe. */
const dates =
  /^(\d{1,4}\.?[ ./-]?)?(jan|feb|f\u00e9v|fev|mar|m\u00e4r|mrz|apr|avr|abr|may|mai|maj|mei|mag|jun|jui|giu|jul|lug|aug|aou|ao\u00fb|ago|sep|set|oct|okt|ott|out|nov|dec|dez|d\u00e9c|dic)[a-z]{0,7}\.?[ ./-]?(\d{1,4})?$/i;
const truths: ReadonlySet<string> = new Set(
  'true false wahr falsch vrai faux verdadero falso verdadeiro vero waar onwaar prawda fa\u0142sz pravda nepravda igaz hamis \u0438\u0441\u0442\u0438\u043d\u0430 \u043b\u043e\u0436\u044c'.split(
    ' ',
  ),
);

/** Whether a spreadsheet makes something else of a text: a number, a date, a time, a truth. */
const isConverted = (text: string): boolean => {
  if (truths.has(text.toLowerCase())) return true;
  // Behind the apostrophe of `harmless` all is text.
  if (!/\d/.test(text) || safeNumber.test(text) || text.startsWith("'")) return false;
  return figures.test(text) || powers.test(text) || hours.test(text) || dates.test(text);
};

/**
 * A cell of text that a spreadsheet would convert (`001001`, `1E5`, `3-4`, `TRUE`): a leading TAB
 * keeps it as it is. Programs trim it; `="001001"` would be a formula for them.
 */
export const textCell = (text: string): string => (isConverted(text) ? `\t${text}` : text);
/** For lines whose cells were made harmless before. */
export const rawCsvLine = (cells: readonly string[], separator: CsvSeparator = ','): string =>
  `${cells.map(quoted).join(separator)}\r\n`;

const nine = '9'.charCodeAt(0);
/** More than a site has names, numbers and devices. */
const keptMax = 20_000;

/**
 * Writes texts as cells: harmless, kept as text, quoted. The cells of many rows repeat themselves,
 * so that each text is looked at once.
 */
export function cellWriter(): (text: string) => string {
  const written = new Map<string, string>();
  return text => {
    // Numbers of records are all different. Most texts begin with a letter, and are not tested.
    if (text.charCodeAt(0) <= nine && safeNumber.test(text)) return text;
    let cell = written.get(text);
    if (cell === undefined) {
      cell = quoted(textCell(harmless(text)));
      if (written.size >= keptMax) written.clear();
      written.set(text, cell);
    }
    return cell;
  };
}
