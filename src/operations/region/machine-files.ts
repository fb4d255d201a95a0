import { processPorts, type Region, type RegionMachine } from './region.ts';

/** The config of a process of the region (`/etc/gatehouse/gatehouse.yaml`). */
export function processConfig({ machines, environment, files }: Region, { address }: RegionMachine): string {
  return `environment: ${environment}
data_dir: /var/lib/gatehouse
store:
  engine: postgres
  url: file:/etc/gatehouse/database
  owner_url: file:/etc/gatehouse/database-owner
${files === null ? '' : `  files: ${files}\n`}tls:
  cert: file:/etc/gatehouse/service.pem
  key: file:/etc/gatehouse/service.key
listen:
  # Devices and people come by HAProxy.
  mqtts: '${address}:${processPorts.mqtts}'
  https: '${address}:${processPorts.https}'
  http: 'off'
  metrics: '${address}:${processPorts.metrics}'
  proxies: '${machines.map(one => one.address).join(', ')}'
`;
}

/** Lets the service write to the share, which its unit otherwise keeps read-only. */
export const filesDropIn = (files: string): string => `[Unit]
RequiresMountsFor=${files}
[Service]
ReadWritePaths=${files}
`;

/** Ports between the machines, for them alone; in a table of its own, beside any other. */
export function firewallFile({ machines }: Region): string {
  const { etcd, etcdPeers, database, patroni } = machines[0]!.ports;
  const inner = [etcd, etcdPeers, database, patroni, ...Object.values(processPorts)];
  return `#!/usr/sbin/nft -f
table inet gatehouse_region
delete table inet gatehouse_region
table inet gatehouse_region {
  chain input {
    type filter hook input priority filter; policy accept;
    iif lo accept
    ip saddr { ${machines.map(one => one.address).join(', ')} } accept
    tcp dport { ${inner.join(', ')} } drop
  }
}
`;
}

/** Before anything listens that is for the machines alone. */
export const firewallService = (config: string): string => `[Unit]
Description=Firewall between the machines of the region
Before=network-pre.target etcd.service patroni.service gatehouse.service
Wants=network-pre.target
DefaultDependencies=no
After=local-fs.target nftables.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f ${config}/firewall.nft
[Install]
WantedBy=multi-user.target
`;

/** A machine without its peers comes up all the same, and is tried for ever. */
export const triedForEver = `[Unit]
StartLimitIntervalSec=0
[Service]
Restart=always
RestartSec=3
`;
