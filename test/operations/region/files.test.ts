import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RegionFile } from '../../../src/operations/region/install-script.ts';
import { makeRegion, type RegionRecord } from '../../../src/operations/region/make.ts';
import { type RegionChoices, whyNoRegion } from '../../../src/operations/region/region.ts';
import { suiteNeeding } from '../../support/tools.ts';

const now = Date.UTC(2026, 10, 30);
const choices: RegionChoices = {
  addresses: ['10.0.0.21', '10.0.0.22', '10.0.0.23'],
  ...{ names: ['region.example.com'], environment: 'production', postgresql: 15 },
  ...{ backups: '/srv/pgbackrest', files: '/srv/gatehouse' },
};

let record: RegionRecord;
let files: ReadonlyMap<string, RegionFile>;
beforeAll(async () => {
  ({ record, files } = await makeRegion(choices, null, now));
});
const text = (path: string, machine = 'one'): string => String(files.get(`${machine}/files${path}`)!.text);
const certificate = (name: string, machine = 'one') =>
  new X509Certificate(text(`/etc/gatehouse-region/${name}`, machine));
const patroni = (machine = 'one') => parse(text('/etc/patroni/config.yml', machine));
const settings = (machine = 'one'): Record<string, string> =>
  Object.fromEntries(
    text('/etc/default/etcd', machine)
      .trim()
      .split('\n')
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

describe('the files of a region', () => {
  test('name no way over the network without TLS and a certificate or password', () => {
    const lines: string[] = patroni().postgresql.pg_hba;
    expect(lines[0]).toBe('local all postgres peer');
    expect(
      lines
        .slice(1)
        .filter(line => !/^hostssl \S+ \S+ 10\.0\.0\.2[123]\/32 (cert map=region|scram-sha-256)$/.test(line)),
    ).toEqual([]);
    for (const { text } of files.values()) expect(String(text)).not.toMatch(/\btrust\b/);
    const { restapi, ctl, etcd3, postgresql } = patroni();
    expect(restapi).toMatchObject({ verify_client: 'required', authentication: { username: 'patroni' } });
    expect(ctl.cacert).toBe('/etc/gatehouse-region/ca.pem');
    expect(etcd3.protocol).toBe('https');
    expect(postgresql.authentication.replication.sslmode).toBe('verify-full');
    expect(postgresql.authentication.superuser).toEqual({ username: 'postgres' });
    for (const [key, value] of Object.entries(settings())) if (key.endsWith('URLS')) expect(value).toMatch(/^https:/);
    expect(settings()).toMatchObject({ ETCD_CLIENT_CERT_AUTH: 'true', ETCD_PEER_CLIENT_CERT_AUTH: 'true' });
    for (const role of ['database', 'database-owner'])
      expect(text(`/etc/gatehouse/${role}`)).toContain('?sslmode=verify-full&sslrootcert=/etc/gatehouse-region/ca.pem');
    expect(text('/etc/haproxy/haproxy.cfg')).not.toMatch(/stats (enable|uri)/);
  });

  test('make one cluster of etcd, in a folder that is not the one of the package', () => {
    const all = ['one', 'two', 'three'].map(machine => settings(machine));
    for (const one of all) expect(one.ETCD_DATA_DIR).toBe('/var/lib/etcd/gatehouse');
    for (const key of ['ETCD_INITIAL_CLUSTER', 'ETCD_INITIAL_CLUSTER_TOKEN'])
      expect(new Set(all.map(one => one[key])).size).toBe(1);
    expect(all[0]!.ETCD_INITIAL_CLUSTER_TOKEN).toMatch(/^gatehouse-[0-9a-f]{16}$/);
    expect(all[0]!.ETCD_INITIAL_CLUSTER).toBe(
      'one=https://10.0.0.21:2380,two=https://10.0.0.22:2380,three=https://10.0.0.23:2380',
    );
  });

  test('give etcd an authority of its own, and each certificate what it is for', () => {
    const authority = (pem: string) => new X509Certificate(pem);
    const [etcd, region] = [authority(record.authorities.etcd.cert), authority(record.authorities.region.cert)];
    const serverAuth = '1.3.6.1.5.5.7.3.1';
    const clientAuth = '1.3.6.1.5.5.7.3.2';
    const expected = [
      ['etcd.pem', etcd, 'CN=etcd', [serverAuth, clientAuth]],
      ['etcd-client.pem', etcd, 'CN=patroni', [clientAuth]],
      ['database.pem', region, 'CN=database-two', [serverAuth, clientAuth]],
      ['haproxy.pem', region, 'CN=haproxy', [clientAuth]],
      ['service-haproxy.pem', region, 'CN=gatehouse', [serverAuth]],
    ] as const;
    for (const [name, issuer, subject, uses] of expected) {
      const found = certificate(name, 'two');
      expect({ name, subject: found.subject, uses: found.keyUsage }).toEqual({ name, subject, uses });
      expect(found.verify(issuer.publicKey)).toBe(true);
    }
    expect(certificate('database.pem', 'two').checkIP('10.0.0.22')).toBe('10.0.0.22');
    expect(certificate('database.pem', 'two').checkIP('10.0.0.21')).toBeUndefined();
    expect(certificate('service-haproxy.pem').checkHost('region.example.com')).toBe('region.example.com');
    expect(certificate('service-haproxy.pem').checkHost('localhost')).toBeUndefined();
  });

  test('are readable by those alone who need them', () => {
    for (const [path, { text, mode, owner }] of files) {
      const isSecret = /PRIVATE KEY|password|:\/\/gatehouse/i.test(String(text)) || path.endsWith('seal.key');
      if (isSecret && !path.endsWith('install.sh')) expect(`${path} ${mode} ${owner}`).toMatch(/ 06[04]0 /);
      if (mode === '0640') expect(`${path} ${owner}`).toMatch(/root:(etcd|postgres|gatehouse)$/);
    }
  });

  test('have a process write rows as one role, and change tables as another', () => {
    const config = parse(text('/etc/gatehouse/gatehouse.yaml'));
    expect(config.store).toEqual({
      ...{ engine: 'postgres', url: 'file:/etc/gatehouse/database', owner_url: 'file:/etc/gatehouse/database-owner' },
      files: '/srv/gatehouse',
    });
    expect(text('/etc/gatehouse/database')).toMatch(/^postgresql:\/\/gatehouse:[\w-]{32}@localhost:5000\/gatehouse\?/);
    expect(text('/etc/gatehouse/database-owner')).toMatch(/^postgresql:\/\/gatehouse_owner:/);
    const script = text('/etc/gatehouse-region/database.sql');
    expect(script).not.toMatch(/SUPERUSER|CREATEDB|CREATEROLE/);
    expect(text('/etc/systemd/system/gatehouse.service.d/region.conf')).toContain('ReadWritePaths=/srv/gatehouse');
  });

  test('are the same of secrets and authorities when they are made again, with new certificates', async () => {
    const again = await makeRegion({ ...choices, files: null }, record, now + 1000);
    expect(again.record.secrets).toEqual(record.secrets);
    expect(again.record.authorities).toEqual(record.authorities);
    const path = 'one/files/etc/gatehouse-region/database.pem';
    expect(again.files.get(path)!.text).not.toBe(files.get(path)!.text);
    expect(again.files.has('one/files/etc/systemd/system/gatehouse.service.d/region.conf')).toBe(false);
  });

  test('begin with a script that a shell reads', () => {
    for (const machine of ['one', 'two', 'three']) {
      const script = String(files.get(`${machine}/install.sh`)!.text);
      expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    }
  });
});

test('what a site added to the config of a process is kept beside the file that takes its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-put-'));
  try {
    const config = join(folder, 'gatehouse.yaml');
    mkdirSync(dirname(join(folder, 'files', config)), { recursive: true });
    writeFileSync(join(folder, 'files', config), 'store: {}\n');
    const put = /^put\(\) \{$.*?^\}$/ms.exec(String(files.get('one/install.sh')!.text))![0];
    const script = `set -eu\nchanged=\nhere=${folder}\n${put}\nput 0640 "$(id -un):$(id -gn)" gatehouse ${config}\necho "changed:$changed"`;
    const run = () => spawnSync('sh', { input: script, encoding: 'utf8' }).stdout;
    expect(run()).toBe('changed: gatehouse \n');
    expect(run()).toBe('changed:\n');
    writeFileSync(config, 'store: {}\nretention: { logs_days: 90 }\n');
    expect(run()).toBe(`the ${config} of before is in ${config}.before\nchanged: gatehouse \n`);
    expect(readFileSync(config, 'utf8')).toBe('store: {}\n');
    expect(readFileSync(`${config}.before`, 'utf8')).toContain('logs_days: 90');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a region is refused', () => {
  const why = (change: Partial<RegionChoices>) => whyNoRegion({ ...choices, ...change });
  test('for anything but three addresses of machines', () => {
    expect(why({})).toBeNull();
    expect(why({ addresses: ['10.0.0.21', '10.0.0.22'] })).toContain('three different addresses');
    expect(why({ addresses: ['10.0.0.21', '10.0.0.22', '10.0.0.22'] })).toContain('three different addresses');
    for (const address of ['db.example', '127.0.0.1', '0.0.0.0', 'fd00::1'])
      expect(why({ addresses: ['10.0.0.21', '10.0.0.22', address] })).toContain(`"${address}" is not the address`);
  });
  test('for names and folders that would break a file', () => {
    expect(why({ names: ['a b'] })).toContain('is not a host name');
    expect(why({ files: "/srv/o'clock" })).toContain('is not a folder');
    expect(why({ backups: 'backups' })).toContain('is not a folder');
  });
});

suiteNeeding('haproxy', 'haproxy', 'HAProxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-haproxy-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('takes the file of each machine', () => {
    for (const [path, { text }] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const machine of ['one', 'two', 'three']) {
      const root = join(folder, machine, 'files');
      const file = join(root, 'etc/haproxy/haproxy.cfg');
      writeFileSync(
        file,
        text('/etc/haproxy/haproxy.cfg', machine).replaceAll('/etc/gatehouse-region', `${root}/etc/gatehouse-region`),
      );
      const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
      const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { env, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  });
});
