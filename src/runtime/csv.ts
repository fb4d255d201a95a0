/** Comma-separated values as spreadsheets read them (RFC 4180). */

/** Excel takes a file without it for one in the local code page, and Chinese turns to garbage. */
export const byteOrderMark = '\ufeff';

/**
 * What a spreadsheet would take for a formula, also behind spaces and in the full-width forms that
 * it reads the same.
 */
const formula = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const plainNumber = /^-?\d+(\.\d+)?$/;

/** A cell that a spreadsheet would run is made text with an apostrophe in front. */
export const harmless = (text: string): string => (formula.test(text) && !plainNumber.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line with its end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map(cell => quoted(harmless(cell))).join(',')}\r\n`;

/**
 * A line of cells, some of them text that looks like a number (`001001`): a leading TAB keeps a
 * spreadsheet from removing the zeros. Programs trim it; `="001001"` would be a formula for them.
 */
export const textCell = (text: string): string => (/^0\d+$|^\d{12,}$/.test(text) ? `\t${text}` : text);
/** For lines whose cells were made harmless before. */
export const rawCsvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;
