import { isUtf8 } from 'node:buffer';

/**
 * The text between the two. Null where it has to end the connection (MQTT 3.1.1, section 1.5.3):
 * ill-formed UTF-8, or U+0000 in it.
 */
export function readText(bytes: Buffer, from: number, to: number): string | null {
  const part = bytes.subarray(from, to);
  return part.includes(0) || !isUtf8(part) ? null : part.toString();
}

const hasWildcard = (text: string): boolean => text.includes('#') || text.includes('+');

/** Whether messages may be published to a topic of this name (sections 4.7.1 and 4.7.3). */
export const isTopicName = (text: string): boolean => text !== '' && !hasWildcard(text);

/** Whether a SUBSCRIBE may name it (sections 4.7.1 and 4.7.3): a wildcard is a whole level. */
export const isTopicFilter = (text: string): boolean =>
  text !== '' &&
  text
    .split('/')
    .every((level, at, all) => level === '+' || (level === '#' && at === all.length - 1) || !hasWildcard(level));
