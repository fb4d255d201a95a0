import { databaseName } from './database-files.ts';
import { configFolder, type Region, type RegionMachine } from './region.ts';

/** A file of a machine, and what has to hear of a change of it. */
export interface RegionFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  /** As `chmod` and `chown` take them. */
  readonly mode: string;
  readonly owner: string;
  readonly service: 'firewall' | 'etcd' | 'patroni' | 'haproxy' | 'gatehouse' | null;
}

/** Packages of the distribution that a machine needs beside Gatehouse's. */
const packages = [
  ...['postgresql', 'patroni', 'etcd-server', 'etcd-client', 'haproxy', 'pgbackrest', 'nftables'],
] as const;

const share = (folder: string, user: string): string =>
  `mountpoint -q ${folder} || refuse '${folder} is not mounted: mount the share that all three machines have there'
[ "$(stat -c %U ${folder})" = ${user} ] || refuse '${folder} does not belong to ${user}: chown it, with the same number of that user on all machines'
`;

/**
 * `install.sh` of a machine: puts its files into place and starts what they are for. Run again, it
 * changes nothing that is as it should be. Refuses, before it has changed anything, a machine that
 * has another etcd, another database or a box of its own.
 */
export function installScript(region: Region, machine: RegionMachine, files: readonly RegionFile[]): string {
  const { address, name, folders } = machine;
  const members = region.etcd.map(one => `${one.name}=https://${one.address}:${one.ports.etcdPeers}`).sort();
  const etcdctl = `etcdctl --command-timeout 5s --cacert ${configFolder}/etcd-ca.pem --cert ${configFolder}/etcd-client.pem --key ${configFolder}/etcd-client.key`;
  const others = region.etcd
    .filter(one => one.name !== name)
    .map(one => `https://${one.address}:${one.ports.etcd}`)
    .join();
  const timers = ['full', 'incr'].map(kind => `gatehouse-backup@${kind}.timer`).join(' ');
  return `#!/bin/sh
# Makes this machine ${name} (${address}) of a region of Gatehouse. As root: sh install.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
refuse() { echo "install.sh: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || refuse 'run it as root'
ip -o -4 addr show to ${address} | grep -q . || refuse 'this machine does not have the address ${address}: the folder is that of machine ${name}'
missing=
for package in ${packages.join(' ')} gatehouse; do
  dpkg-query -W -f '\${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done
[ -z "$missing" ] || refuse "packages are missing: apt-get install$missing"
[ -x ${folders.programs}/postgres ] || refuse '${folders.programs} has no postgres: repeat \`gatehouse region init\` with --postgresql and the version of this machine'
${region.backups === null ? '' : share(region.backups, 'postgres')}${region.files === null ? '' : share(region.files, 'gatehouse')}
# etcd: the cluster of one that the package started is removed if it is empty; any other is not touched.
export ETCDCTL_API=3
pid=$(systemctl show -p MainPID --value etcd)
if [ "$pid" != 0 ]; then
  folder=$(tr '\\0' '\\n' <"/proc/$pid/environ" | sed -n 's/^ETCD_DATA_DIR=//p')
  given=$(tr '\\0' '\\n' <"/proc/$pid/cmdline" | sed -n 's/^--data-dir=//p;/^--data-dir$/{n;p;}')
  folder=\${given:-$folder}
  case $folder in
    ${folders.etcd})
      # A member that waits for the others says nothing yet.
      if found=$(${etcdctl} --endpoints https://${address}:${machine.ports.etcd} member list 2>/dev/null); then
        found=$(echo "$found" | awk -F ', ' '{ print $3 "=" $4 }' | sort | tr '\\n' ' ')
        [ "$found" = '${members.join(' ')} ' ] || refuse "etcd on this machine has other members than this region: $found; see docs/region.md"
      fi ;;
    /var/lib/etcd/default)
      ask() { etcdctl --endpoints http://127.0.0.1:2379 --command-timeout 5s "$@"; }
      count=$(ask member list | wc -l) || count=0
      keys=$(ask get '' --prefix --keys-only --limit 1 | wc -l) || keys=1
      [ "$count" = 1 ] && [ "$keys" = 0 ] || refuse "etcd on this machine is in use: $count members in /var/lib/etcd/default; take a machine without etcd"
      systemctl stop etcd ;;
    (*) refuse "etcd on this machine has its data in $folder, not in ${folders.etcd}: it belongs to something else; take a machine without etcd" ;;
  esac
elif [ -e /var/lib/etcd/default ] && [ ! -e ${folders.etcd} ] && ! grep -qs ${folders.etcd} /etc/default/etcd; then
  refuse 'there is /var/lib/etcd/default, and no etcd runs that could say whether it is in use: systemctl start etcd, then this again; or remove the folder'
fi
# PostgreSQL: the cluster that the package made is stopped if it is empty.
if systemctl -q is-active 'postgresql@*'; then
  others=$(cd / && runuser -u postgres -- psql -Atc "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname NOT IN ('postgres', '${databaseName}')" 2>/dev/null) || others='?'
  [ -z "$others" ] || [ -e ${folders.database} ] || refuse "PostgreSQL on this machine has databases: $others; take a machine without"
  [ -e ${folders.database} ] || systemctl stop 'postgresql@*'
fi
# Gatehouse: a box that was set up is not made part of a region; \`gatehouse migrate\` moves one.
seal=/var/lib/gatehouse/keys/seal.key
if [ -e /var/lib/gatehouse/gatehouse.db ]; then
  if gatehouse user list --json | grep -q '"name"'; then
    refuse 'Gatehouse on this machine is a box with accounts: see docs/region-from-box.md'
  fi
  systemctl stop gatehouse
  mkdir -p /var/lib/gatehouse/before-region
  find /var/lib/gatehouse -mindepth 1 -maxdepth 1 ! -name before-region -exec mv -t /var/lib/gatehouse/before-region {} +
elif [ -e $seal ] && ! cmp -s "$here/files$seal" $seal; then
  refuse "$seal is the key of another region: take a machine without"
fi

# From here on the machine is changed.
changed=
put() {
  from=$here/files$4
  if ! cmp -s "$from" "$4"; then
    changed="$changed $3 "
    # What the site added to its config is not lost.
    case $4 in *.yaml) if [ -e "$4" ]; then cp -p "$4" "$4.before" && echo "the $4 of before is in $4.before"; fi ;; esac
  fi
  [ -d "$(dirname "$4")" ] || install -d -m 0755 "$(dirname "$4")"
  install -m "$1" -o "\${2%:*}" -g "\${2#*:}" "$from" "$4.new"
  mv "$4.new" "$4"
}
install -d -m 0700 -o gatehouse -g gatehouse /var/lib/gatehouse /var/lib/gatehouse/keys
${files.map(({ path, mode, owner, service }) => `put ${mode} ${owner} ${service ?? '-'} ${path}`).join('\n')}
rm -rf /var/lib/etcd/default
# A machine that was a member and has lost its folder is a new member to the others.
if [ ! -e ${folders.etcd} ]; then
  ask() { ${etcdctl} --endpoints ${others} "$@"; }
  gone=$(ask member list 2>/dev/null | awk -F ', ' '$4 == "https://${address}:${machine.ports.etcdPeers}" && $5 != "" { print $1 }') || gone=
  if [ -n "$gone" ]; then
    ask member remove "$gone"
    ask member add ${name} --peer-urls https://${address}:${machine.ports.etcdPeers}
    sed -i 's/^ETCD_INITIAL_CLUSTER_STATE=.*/ETCD_INITIAL_CLUSTER_STATE=existing/' /etc/default/etcd
    changed="$changed etcd "
  fi
fi
systemctl daemon-reload
systemctl -q disable --now postgresql
systemctl -q enable gatehouse-region-firewall etcd patroni haproxy gatehouse
# Without waiting: etcd is ready when two of three machines are, and everything else after it.
start() {
  case $changed in
    *" $1 "*) systemctl --no-block "$3" "$2" ;;
    *) systemctl --no-block start "$2" ;;
  esac
}
start firewall gatehouse-region-firewall restart
start etcd etcd restart
start patroni patroni reload-or-restart
start haproxy haproxy reload-or-restart
start gatehouse gatehouse restart
${region.backups === null ? '' : `systemctl -q enable --now ${timers}\n`}echo 'machine ${name} is installed; when all three are: gatehouse doctor --region'
`;
}
