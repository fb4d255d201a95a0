/**
 * Takes the characters of `ends` from the end of a text, in time that grows with their number
 * alone: a regular expression such as `/=+$/` starts again at each of them, anywhere in the text.
 */
export function withoutEnd(text: string, ends: string): string {
  let length = text.length;
  while (length > 0 && ends.includes(text[length - 1]!)) length--;
  return text.slice(0, length);
}
