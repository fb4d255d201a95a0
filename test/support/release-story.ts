import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ThrowAwayCheckout } from './throw-away-checkout.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Blocks of commands of a document, in order; those that are indented, too. */
function blocksOf(document: string): string[] {
  const text = readFileSync(join(root, 'docs', document), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```|((?:^ {4}\S.*\n)+)/gm)].map(
    ([, fenced, indented]) => fenced ?? indented!.replaceAll(/^ {4}/gm, ''),
  );
}

function blockWith(document: string, part: string): string {
  const found = blocksOf(document).find(block => block.includes(part));
  if (found === undefined) throw new Error(`docs/${document} has no commands with ${part}`);
  return found;
}

/** Commands of the documents by name, as somebody has them who has installed the package. */
export function documentedCommands(): Record<string, string> {
  // A box of the package refuses the key of the example, and asks for one of one's own.
  const installed = (text: string) =>
    text.replaceAll('bin/gatehouse', 'gatehouse').replaceAll('change-me-please', 'key-of-plant-4-2026');
  const firstPunch = (part: string) => installed(blockWith('first-punch.md', part));
  return {
    fingerprint: blockWith('release.md', '-fingerprint'),
    verify: blockWith('release.md', 'cms -verify'),
    site: firstPunch('site.yaml').replace(/^gatehouse serve.*$/m, 'gatehouse apply site.yaml'),
    // Each punch is another message.
    punch: firstPunch('mosquitto_pub').replace('"mid":"1"', `"mid":"'$(date +%s%N)'"`),
    look: firstPunch('export --what checkins'),
    backup: firstPunch('gatehouse backup'),
    accept: blockWith('updates.md', 'rauc.service.d').replace(/^apt-get .*\n/m, ''),
  };
}

/** Makes the releases 1.0.0 and 1.0.1 of the tree under test below `folder`, without images. */
export async function makeReleases(folder: string): Promise<void> {
  using checkout = new ThrowAwayCheckout(folder);
  const keys = join(folder, 'keys');
  const node = (script: string, ...words: string[]) =>
    execFileSync('bin/node', [`scripts/${script}.ts`, ...words], { cwd: checkout.folder, stdio: 'pipe' });
  const release = async (version: string) => {
    checkout.tag(`v${version}`);
    node('release', '--without-images', '--keys', keys);
    await cp(join(checkout.folder, 'dist/release', version), join(folder, version), { recursive: true });
  };
  node('update-keys', keys);
  await release('1.0.0');
  for (const file of ['package.json', 'package-lock.json'])
    checkout.edit(file, text => text.replaceAll(/("name": "gatehouse",\s+"version": ")1\.0\.0"/g, '$11.0.1"'));
  checkout.edit('CHANGELOG.md', text => text.replace('## 1.0.0', '## 1.0.1\n\nFor a test.\n\n## 1.0.0'));
  checkout.commit('the next release');
  await release('1.0.1');
}

/** Writes commands and the name of the story to where its machine finds them. */
export async function writeStory(folder: string, story: string): Promise<void> {
  await writeFile(join(folder, 'story'), story);
  await mkdir(join(folder, 'commands'));
  for (const [name, text] of Object.entries(documentedCommands()))
    await writeFile(join(folder, 'commands', `${name}.sh`), text);
}
