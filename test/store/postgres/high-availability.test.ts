import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiving, backupCommands, pgbackrestFile, restoreCommand } from '../../../scripts/region-ha/backup-files.ts';
import { patroniFile, proxyFile } from '../../../scripts/region-ha/config-files.ts';
import { suiteNeeding } from '../../support/tools.ts';

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

test('docs/region.md shows the file, the settings and the commands of pgBackRest that the tests run with', () => {
  const { dataDir, socketDir } = members[0]!;
  expect(page).toContain(shown(pgbackrestFile({ repository: '/srv/pgbackrest', dataDir, socketDir })));
  expect(page).toContain(
    shown(
      Object.entries(archiving)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    ),
  );
  const { prepare, check, full } = backupCommands;
  expect(page).toContain(shown([prepare, check, full].join('\n')));
  expect(backupCommands.incremental.replace('incr', '%i')).toBe('pgbackrest --stanza=gatehouse --type=%i backup');
  expect(page).toContain('ExecStart=/usr/bin/pgbackrest --stanza=gatehouse --type=%i backup');
  expect(page).toContain(shown(restoreCommand('2026-11-25 21:00:00+00')));
});

suiteNeeding('haproxy', 'haproxy', 'HAProxy', () => {
  test('takes what docs/region.md has it do in front of the processes', () => {
    const blocks = page.match(/(?<=\n\n)(?: {7}.*\n|\n(?= {7}))+/g)!.filter(block => /balance /.test(block));
    expect(blocks).toHaveLength(2);
    // Their certificates are not here.
    const config = blocks
      .join('')
      .replace(/ ssl crt \S+/, '')
      .replaceAll(/required ca-file \S+/g, 'none');
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-haproxy-'));
    try {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(file, config);
      const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
      const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { env, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
