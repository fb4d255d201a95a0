/**
 * The configuration of a database that goes on when a machine dies: etcd, Patroni and HAProxy, for
 * any addresses. `docs/region.md` shows what these functions return for three machines.
 */

export interface DatabaseMember {
  readonly name: string;
  readonly host: string;
  /** Of PostgreSQL. */
  readonly port: number;
  /** Of Patroni's REST API, which HAProxy asks who is the primary. */
  readonly restPort: number;
  readonly dataDir: string;
  /** Of PostgreSQL's Unix socket. */
  readonly socketDir: string;
}

export interface DatabaseCluster {
  /** `host:port` of each etcd. */
  readonly etcd: readonly string[];
  /** Of PostgreSQL's programs. */
  readonly binDir: string;
  /** Addresses from which members and processes connect, as pg_hba.conf has them. */
  readonly network: string;
  readonly password: string;
}

/** The file of Patroni on one machine (`/etc/patroni/config.yml`). */
export const patroniFile = (member: DatabaseMember, cluster: DatabaseCluster): string => `scope: gatehouse
name: ${member.name}
restapi: { listen: '${member.host}:${member.restPort}', connect_address: '${member.host}:${member.restPort}' }
etcd3: { hosts: [${cluster.etcd.map(host => `'${host}'`).join(', ')}] }
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
  pg_hba:
    - local all all trust
    - host replication replicator ${cluster.network} scram-sha-256
    - host all all ${cluster.network} scram-sha-256
postgresql:
  listen: '${member.host}:${member.port}'
  connect_address: '${member.host}:${member.port}'
  data_dir: ${member.dataDir}
  bin_dir: ${cluster.binDir}
  pgpass: ${member.socketDir}/.pgpass-${member.name}
  authentication:
    superuser: { username: postgres, password: '${cluster.password}' }
    replication: { username: replicator, password: '${cluster.password}' }
  parameters:
    unix_socket_directories: ${member.socketDir}
`;

/** The file of HAProxy: one address, behind which the primary is. */
export const proxyFile = (listen: string, members: readonly DatabaseMember[]): string => `defaults
  mode tcp
  timeout connect 2s
  # A connection may be silent for as long as nothing happens.
  timeout client 0
  timeout server 0
  option clitcpka
  option srvtcpka
listen database
  bind ${listen}
  # Patroni answers 200 where the primary is, and 503 elsewhere.
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, host, port, restPort }) => `  server ${name} ${host}:${port} port ${restPort}`).join('\n')}
`;
