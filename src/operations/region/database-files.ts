import { archiving } from './backup-files.ts';
import type { Region, RegionMachine } from './region.ts';

/**
 * Configuration of a database that goes on when a machine dies: etcd, Patroni and PostgreSQL, for
 * any addresses. Nothing listens without TLS, and nobody comes in over the network
 * without a certificate or a password.
 */

/** `KEY=value` lines: for `/etc/default/etcd`, or as the environment of the program. */
export function etcdSettings({ etcd, secrets }: Region, machine: RegionMachine): Readonly<Record<string, string>> {
  const { name, address, ports, folders } = machine;
  const peer = `https://${address}:${ports.etcdPeers}`;
  const client = `https://${address}:${ports.etcd}`;
  const certificates = { TRUSTED_CA_FILE: 'etcd-ca.pem', CERT_FILE: 'etcd.pem', KEY_FILE: 'etcd.key' };
  return {
    ETCD_NAME: name,
    // The package starts a cluster of one member in /var/lib/etcd/default: never that one.
    ETCD_DATA_DIR: folders.etcd,
    ETCD_INITIAL_CLUSTER: etcd
      .map(member => `${member.name}=https://${member.address}:${member.ports.etcdPeers}`)
      .join(),
    ETCD_INITIAL_CLUSTER_TOKEN: secrets.etcdToken,
    ETCD_INITIAL_CLUSTER_STATE: 'new',
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_LISTEN_CLIENT_URLS: client,
    ETCD_ADVERTISE_CLIENT_URLS: client,
    ETCD_CLIENT_CERT_AUTH: 'true',
    ETCD_PEER_CLIENT_CERT_AUTH: 'true',
    // A client of etcd is no member.
    ETCD_PEER_CERT_ALLOWED_CN: etcdName,
    ...Object.fromEntries(
      Object.entries(certificates).flatMap(([key, file]) => [
        [`ETCD_${key}`, `${folders.config}/${file}`],
        [`ETCD_PEER_${key}`, `${folders.config}/${file}`],
      ]),
    ),
    // Patroni writes every second: without it the file of etcd is full after some months.
    ETCD_AUTO_COMPACTION_RETENTION: '1',
  };
}

/** Name in the certificates of the members. */
export const etcdName = 'etcd';

const asText = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');

export const etcdFile = (region: Region, machine: RegionMachine): string => asText(etcdSettings(region, machine));

/** Roles of PostgreSQL. */
export const roles = { owner: 'gatehouse_owner', writer: 'gatehouse' } as const;
export const databaseName = 'gatehouse';

/** Common name of the certificate with which a machine's database and Patroni speak. */
export const databaseCommonName = ({ name }: RegionMachine): string => `database-${name}`;

const parameters = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `    ${name}: '${value}'\n`)
    .join('');

/** The file of Patroni on one machine (`/etc/patroni/config.yml`). */
export function patroniFile(region: Region, machine: RegionMachine): string {
  const { name, address, ports, folders } = machine;
  const { config, socket } = folders;
  const hosts = [...new Set(region.machines.map(one => one.address))];
  const byCertificate = `sslmode: verify-full, sslrootcert: ${config}/ca.pem, sslcert: ${config}/database.pem, sslkey: ${config}/database.key`;
  return `scope: gatehouse
name: ${name}
restapi:
  listen: '${address}:${ports.patroni}'
  connect_address: '${address}:${ports.patroni}'
  certfile: ${config}/database.pem
  keyfile: ${config}/database.key
  cafile: ${config}/ca.pem
  verify_client: required
  authentication: { username: patroni, password: '${region.secrets.patroniPassword}' }
ctl: { cacert: ${config}/ca.pem, certfile: ${config}/database.pem, keyfile: ${config}/database.key }
etcd3:
  hosts: [${region.etcd.map(member => `'${member.address}:${member.ports.etcd}'`).join(', ')}]
  protocol: https
  cacert: ${config}/etcd-ca.pem
  cert: ${config}/etcd-client.pem
  key: ${config}/etcd-client.key
bootstrap:
  dcs:
    # A primary that is not heard of for so many seconds is replaced.
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    maximum_lag_on_failover: 1048576
    # A commit waits for a standby; without one it waits until there is one.
    synchronous_mode: true
    synchronous_mode_strict: true
    # A primary that crashed is replaced at once: it may have kept what no standby has.
    primary_start_timeout: 0
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 200
        # A standby that takes over has to replay what came after the last checkpoint.
        max_wal_size: 256MB
        min_wal_size: 64MB
        wal_keep_size: 128MB
        # A standby that is away no longer counts after so long.
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
  initdb:
    - encoding: UTF8
    - locale: C
    - data-checksums
  # Makes roles and database, once.
  post_bootstrap: ${folders.programs}/psql --no-psqlrc -v ON_ERROR_STOP=1 -f ${config}/database.sql
postgresql:
  listen: '${address}:${ports.database}'
  connect_address: '${address}:${ports.database}'
  data_dir: ${folders.database}
  bin_dir: ${folders.programs}
  pgpass: ${socket}/.pgpass-${name}
  use_unix_socket: true
  # A standby that is made does not wait for the next checkpoint, minutes later.
  basebackup: [{ checkpoint: fast }]
  authentication:
    # On its own machine alone, as the user of the same name.
    superuser: { username: ${machine.user} }
    replication: { username: replicator, ${byCertificate} }
    rewind: { username: rewinder, ${byCertificate} }
  pg_hba:
    - local all ${machine.user} peer
${hosts
  .flatMap(host => [
    `    - hostssl replication replicator ${host}/32 cert map=region`,
    `    - hostssl postgres rewinder ${host}/32 cert map=region`,
    `    - hostssl ${databaseName} ${roles.owner},${roles.writer} ${host}/32 scram-sha-256`,
  ])
  .join('\n')}
  pg_ident:
${region.machines
  .flatMap(one => ['replicator', 'rewinder'].map(role => `    - region ${databaseCommonName(one)} ${role}`))
  .join('\n')}
  parameters:
    unix_socket_directories: ${socket}
    password_encryption: scram-sha-256
    ssl: 'on'
    ssl_ca_file: ${config}/ca.pem
    ssl_cert_file: ${config}/database.pem
    ssl_key_file: ${config}/database.key
${region.backups === null ? '' : parameters(archiving)}`;
}

/**
 * Roles that the database begins with: an owner of the tables, who makes and changes them, and a
 * writer, who reads and writes rows. Nobody else comes in.
 */
export const databaseScript = ({ secrets }: Region): string => `-- There may be no standby yet.
SET synchronous_commit = local;
CREATE ROLE ${roles.owner} LOGIN PASSWORD '${secrets.ownerPassword}';
CREATE ROLE ${roles.writer} LOGIN PASSWORD '${secrets.writerPassword}';
-- Whether a standby confirms.
GRANT pg_read_all_stats TO ${roles.owner}, ${roles.writer};
${makeDatabase}`;

/** A second time too, where there is none. */
export const makeDatabase = `CREATE DATABASE ${databaseName} OWNER ${roles.owner} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
REVOKE ALL ON DATABASE ${databaseName} FROM PUBLIC;
GRANT CONNECT ON DATABASE ${databaseName} TO ${roles.writer};
\\connect ${databaseName}
SET synchronous_commit = local;
ALTER SCHEMA public OWNER TO ${roles.owner};
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO ${roles.writer};
ALTER DEFAULT PRIVILEGES FOR ROLE ${roles.owner} IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles.writer};
ALTER DEFAULT PRIVILEGES FOR ROLE ${roles.owner} IN SCHEMA public
  GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${roles.writer};
`;

/** For `store.url` and `store.owner_url`: by way of HAProxy of the same machine. */
export function databaseAddress(
  { secrets }: Region,
  { ports, folders }: RegionMachine,
  role: keyof typeof roles,
): string {
  const password = role === 'owner' ? secrets.ownerPassword : secrets.writerPassword;
  return `postgresql://${roles[role]}:${password}@localhost:${ports.primary}/${databaseName}?sslmode=verify-full&sslrootcert=${folders.config}/ca.pem\n`;
}
