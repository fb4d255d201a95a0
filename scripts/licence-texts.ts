import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programVersion } from '../src/runtime/version.ts';
import type { Part } from './third-party.ts';

const own = readFileSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), 'utf8');
const rule = '='.repeat(80);

/**
 * What `gatehouse version --licences` prints: a list, then each text; a text that several parts
 * share is printed once.
 */
export function licenceTexts(parts: readonly Part[]): string {
  const list = parts.map(
    ({ name, version, licence, kind }) =>
      `  ${`${name} ${version}`.padEnd(40)} ${licence}${kind === 'in node' ? ' (in Node)' : ''}\n`,
  );
  const texts = new Map<string, string[]>([[own.trim(), ['gatehouse']]]);
  for (const { name, version, licenceText } of parts) {
    if (licenceText === '') continue;
    const text = licenceText.replaceAll('\r\n', '\n').trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  const chapters = [...texts].map(([text, names]) => `${rule}\n${names.join('\n')}\n${rule}\n\n${text}\n`);
  return `Gatehouse ${programVersion} is under the Apache-2.0 licence. In it are:

${list.join('')}
The texts of the licences follow; those of the libraries in Node are in Node's.

${chapters.join('\n')}`;
}
