import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patroniFile, proxyFile } from '../../../scripts/region-ha/config-files.ts';

const members = ['one', 'two', 'three'].map((name, index) => ({
  ...{ name, host: `10.0.0.${21 + index}`, port: 5432, restPort: 8008 },
  ...{ dataDir: '/var/lib/postgresql/15/gatehouse', socketDir: '/var/run/postgresql' },
}));
const cluster = {
  etcd: members.map(({ host }) => `${host}:2379`),
  ...{ binDir: '/usr/lib/postgresql/15/bin', network: '10.0.0.0/24', password: 'PASSWORD' },
};
const page = readFileSync(new URL('../../../docs/region.md', import.meta.url), 'utf8');
/** As a list item of the page has it. */
const shown = (text: string): string => text.trimEnd().replaceAll(/^(?=.)/gm, '       ');

test('docs/region.md shows the files of Patroni and HAProxy that the tests run with', () => {
  expect(page).toContain(shown(patroniFile(members[0]!, cluster)));
  expect(page).toContain(shown(proxyFile('127.0.0.1:5000', members)));
});
