/**
 * The signs by which text acts on a terminal: controls but newline and tab, DEL, C1, and those that
 * turn the direction of what follows (Unicode Bidirectional Algorithm, section 2).
 */
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text that only shows: each of these signs as `\u001b`. JSON stays the same JSON. */
export const printable = (text: string): string => text.replace(acting, escaped);

/** The same as one line, for what holds names and words of others. */
export const onOneLine = (text: string): string =>
  printable(text).replace(/[\t\n]/g, sign => JSON.stringify(sign).slice(1, -1));
