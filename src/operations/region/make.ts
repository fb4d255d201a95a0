import { randomBytes } from 'node:crypto';
import type { UnixMs } from '../../runtime/clock.ts';
import { type Issued, issueLeaf, makeAuthority } from '../issuing.ts';
import { backupService, backupTimer, pgbackrestFile } from './backup-files.ts';
import {
  databaseAddress,
  databaseCommonName,
  databaseScript,
  etcdFile,
  etcdName,
  patroniFile,
} from './database-files.ts';
import { installScript, type RegionFile } from './install-script.ts';
import { filesDropIn, firewallFile, firewallService, processConfig, triedForEver } from './machine-files.ts';
import { proxyFile } from './proxy-file.ts';
import { type Region, type RegionChoices, type RegionMachine, type RegionSecrets, regionOf } from './region.ts';

/** Certificates between the machines: when they end nothing works any more, so late. */
const innerDays = 10 * 365;

/** Issuers of the certificates of a region: one for etcd, one for all the rest. */
export interface RegionAuthorities {
  readonly etcd: Issued;
  readonly region: Issued;
}

export const makeRegionSecrets = (): RegionSecrets => {
  const password = () => randomBytes(24).toString('base64url');
  return {
    ownerPassword: password(),
    writerPassword: password(),
    patroniPassword: password(),
    etcdToken: `gatehouse-${randomBytes(8).toString('hex')}`,
    sealKey: randomBytes(32).toString('base64'),
  };
};

export const makeRegionAuthorities = async (now: UnixMs): Promise<RegionAuthorities> => ({
  etcd: await makeAuthority(now, 'Gatehouse region, etcd'),
  region: await makeAuthority(now, 'Gatehouse region'),
});

/** Certificates and keys of a machine's database and etcd, by the names that its files have. */
export async function databaseCertificates(
  machine: RegionMachine,
  { etcd, region }: RegionAuthorities,
  now: UnixMs,
): Promise<ReadonlyMap<string, string>> {
  const here = { names: ['localhost'], addresses: [...new Set([machine.address, '127.0.0.1'])] };
  const days = innerDays;
  const both = ['server', 'client'] as const;
  const [member, client, database, proxy] = await Promise.all([
    issueLeaf(etcd, here, now, { commonName: etcdName, uses: both, days }),
    issueLeaf(etcd, { names: [], addresses: [] }, now, { commonName: 'patroni', uses: ['client'], days }),
    issueLeaf(region, here, now, { commonName: databaseCommonName(machine), uses: both, days }),
    issueLeaf(region, { names: [], addresses: [] }, now, { commonName: 'haproxy', uses: ['client'], days }),
  ]);
  return new Map([
    ['etcd-ca.pem', etcd.cert],
    ['ca.pem', region.cert],
    ...[...Object.entries({ etcd: member, 'etcd-client': client, database })].flatMap(([name, { cert, key }]) => [
      [`${name}.pem`, cert] as const,
      [`${name}.key`, key] as const,
    ]),
    ['haproxy.pem', proxy.cert + proxy.key],
  ]);
}

/** Readers of a machine's certificates and keys, and what has to hear of other ones. */
const readers: Readonly<Record<string, Pick<RegionFile, 'mode' | 'owner' | 'service'>>> = {
  'etcd.key': { mode: '0640', owner: 'root:etcd', service: null },
  'etcd-client.key': { mode: '0640', owner: 'root:postgres', service: 'patroni' },
  'database.pem': { mode: '0644', owner: 'root:root', service: 'patroni' },
  'database.key': { mode: '0600', owner: 'postgres:postgres', service: 'patroni' },
  'haproxy.pem': { mode: '0600', owner: 'root:root', service: 'haproxy' },
};

/** Kept in the folder of a region for the next run: everything that its files are made of. */
export interface RegionRecord {
  readonly choices: RegionChoices;
  readonly secrets: RegionSecrets;
  readonly authorities: RegionAuthorities;
}

/** Every file of every machine, by its path below the folder of the region. */
export async function makeRegion(
  choices: RegionChoices,
  before: RegionRecord | null,
  now: UnixMs,
  sealKey?: string,
): Promise<{ record: RegionRecord; files: ReadonlyMap<string, RegionFile> }> {
  const secrets = { ...(before?.secrets ?? makeRegionSecrets()), ...(sealKey === undefined ? {} : { sealKey }) };
  const authorities = before?.authorities ?? (await makeRegionAuthorities(now));
  const region = regionOf(choices, secrets);
  const all = { names: [...choices.names], addresses: choices.addresses };
  const service = await issueLeaf(authorities.region, all, now, { commonName: 'gatehouse' });
  const found = new Map<string, RegionFile>();
  for (const machine of region.machines) {
    const files = filesOf(region, machine, await databaseCertificates(machine, authorities, now), service, choices);
    for (const file of files) found.set(`${machine.name}/files${file.path}`, file);
    const script = { path: 'install.sh', mode: '0700', owner: 'root:root', service: null };
    found.set(`${machine.name}/install.sh`, { ...script, text: installScript(region, machine, files) });
  }
  return { record: { choices, secrets, authorities }, files: found };
}

function filesOf(
  region: Region,
  machine: RegionMachine,
  certificates: ReadonlyMap<string, string>,
  service: Issued,
  choices: RegionChoices,
): RegionFile[] {
  const { config } = machine.folders;
  const open = { mode: '0644', owner: 'root:root', service: null } as const;
  const ofProcess = { mode: '0640', owner: 'root:gatehouse', service: 'gatehouse' } as const;
  const units = '/etc/systemd/system';
  const { backups, files } = region;
  return [
    ...[...certificates].map(([name, text]) => ({ path: `${config}/${name}`, text, ...open, ...readers[name] })),
    {
      ...{ path: `${config}/service-haproxy.pem`, text: service.cert + service.key },
      ...readers['haproxy.pem']!,
    },
    { path: `${config}/region.json`, text: `${JSON.stringify(choices, null, 2)}\n`, ...open },
    { path: `${config}/firewall.nft`, text: firewallFile(region), ...open, service: 'firewall' },
    { path: `${units}/gatehouse-region-firewall.service`, text: firewallService(config), ...open, service: 'firewall' },
    { path: '/etc/default/etcd', text: etcdFile(region, machine), ...open, service: 'etcd' },
    ...['etcd', 'patroni'].map(name => ({
      ...{ path: `${units}/${name}.service.d/gatehouse-region.conf`, text: triedForEver },
      ...open,
    })),
    {
      ...{ path: `${config}/database.sql`, text: databaseScript(region) },
      ...{ mode: '0600', owner: 'postgres:postgres', service: null },
    },
    {
      ...{ path: '/etc/patroni/config.yml', text: patroniFile(region, machine) },
      ...{ mode: '0640', owner: 'root:postgres', service: 'patroni' as const },
    },
    {
      ...{ path: '/etc/haproxy/haproxy.cfg', text: proxyFile(region, machine) },
      ...{ mode: '0644', owner: 'root:root', service: 'haproxy' as const },
    },
    ...(backups === null
      ? []
      : [
          { path: '/etc/pgbackrest.conf', text: pgbackrestFile(backups, machine.folders), ...open },
          { path: `${units}/gatehouse-backup@.service`, text: backupService, ...open },
          { path: `${units}/gatehouse-backup@full.timer`, text: backupTimer('Sun 01:00'), ...open },
          { path: `${units}/gatehouse-backup@incr.timer`, text: backupTimer('Mon..Sat 01:00'), ...open },
        ]),
    ...(files === null
      ? []
      : [{ path: `${units}/gatehouse.service.d/region.conf`, text: filesDropIn(files), ...open }]),
    { path: '/etc/gatehouse/gatehouse.yaml', text: processConfig(region, machine), ...ofProcess },
    { path: '/etc/gatehouse/database', text: databaseAddress(region, machine, 'writer'), ...ofProcess },
    { path: '/etc/gatehouse/database-owner', text: databaseAddress(region, machine, 'owner'), ...ofProcess },
    { path: '/etc/gatehouse/service.pem', text: service.cert, ...ofProcess, service: null },
    { path: '/etc/gatehouse/service.key', text: service.key, ...ofProcess, service: null },
    {
      ...{ path: '/var/lib/gatehouse/keys/seal.key', text: Buffer.from(region.secrets.sealKey, 'base64') },
      ...{ mode: '0600', owner: 'gatehouse:gatehouse', service: null },
    },
  ];
}
