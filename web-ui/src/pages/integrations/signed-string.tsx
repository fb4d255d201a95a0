import type { SignedPart } from '../../../../src/platform/signature.ts';
import { integrationWords } from './words.ts';

/**
 * The string that the MD5 covers, with each part named; the one that differs is marked, in words
 * too.
 */
export function SignedString({
  parts,
  differs,
}: {
  parts: readonly SignedPart[];
  differs?: SignedPart['name'] | null;
}) {
  const said = integrationWords.value;
  return (
    <ol class="signed-string mono">
      {parts.map(({ name, text }) => (
        <li key={name} class={name === differs ? 'differs' : undefined}>
          <span class="part-text">{text}</span>
          <span class="part-name">
            {name}
            {name === differs && ` (${said.differsMark})`}
          </span>
        </li>
      ))}
    </ol>
  );
}
