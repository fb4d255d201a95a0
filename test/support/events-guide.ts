import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** docs/events.md, for the tests that hold a running box against it. */
const text = readFileSync(fileURLToPath(new URL('../../docs/events.md', import.meta.url)), 'utf8');

export const guideBlocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block]) => block!);

/** The example payload of a topic, such as `checkins`. */
export function examplePayload(topic: string): object {
  const row = new RegExp(`^\\| \`gatehouse/v1/${topic}[^\`]*\` \\| \`(\\{[^\`]*\\})\``, 'm').exec(text);
  return JSON.parse(row![1]!);
}

/** Names and kinds of the fields. */
export const shapeOf = (value: object): unknown =>
  Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      one !== null && typeof one === 'object' && !Array.isArray(one) ? shapeOf(one) : typeof one,
    ]),
  );
