import { isIPv4 } from 'node:net';

/** Where one machine of a region listens. On three machines the same; on one they differ. */
interface RegionPorts {
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly database: number;
  /** Of Patroni's REST API, which HAProxy asks who is the primary. */
  readonly patroni: number;
  /** Of HAProxy on the loopback: the primary, whichever machine has it. */
  readonly primary: number;
}

/** Where one machine keeps what belongs to the region. */
export interface RegionFolders {
  /** Certificates, keys, and what the database begins with. */
  readonly config: string;
  readonly etcd: string;
  readonly database: string;
  /** Of PostgreSQL's Unix socket. */
  readonly socket: string;
  /** Of PostgreSQL's programs. */
  readonly programs: string;
}

export interface RegionMachine {
  readonly name: string;
  readonly address: string;
  readonly ports: RegionPorts;
  readonly folders: RegionFolders;
  /** Of the system, as which the database runs; its superuser has the same name. */
  readonly user: string;
}

/** Known to the machines alone; all are of letters, digits, `-` and `_`. */
export interface RegionSecrets {
  /** Of the role that has the tables, for migrations. */
  readonly ownerPassword: string;
  /** Of the role with which processes read and write rows. */
  readonly writerPassword: string;
  /** For calls of Patroni's REST API that change something. */
  readonly patroniPassword: string;
  /** Keeps members of another cluster out; no secret by itself. */
  readonly etcdToken: string;
  /** `keys/seal.key` of every process, in base64. */
  readonly sealKey: string;
}

/** All that the files of a region are made of, but for certificates. */
export interface Region {
  readonly machines: readonly RegionMachine[];
  /** Machines with etcd: all, where each is a machine. */
  readonly etcd: readonly RegionMachine[];
  readonly environment: 'test' | 'production';
  /** Names under which devices and people reach it, in its certificate beside the addresses. */
  readonly names: readonly string[];
  /** Shares that all machines mount, for backups of the database and `store.files`; null: none. */
  readonly backups: string | null;
  readonly files: string | null;
  readonly secrets: RegionSecrets;
}

/** Ports on which a process of the region listens behind HAProxy. */
export const processPorts = { https: 9443, mqtts: 9883, metrics: 9464 } as const;
/** Ports of HAProxy for devices, programs and people. */
export const doorPorts = { mqtts: 8883, https: 8443, people: 443 } as const;

export const machineNames = ['one', 'two', 'three'] as const;

/** The folder of certificates on a machine, readable by the services alone. */
export const configFolder = '/etc/gatehouse-region';

/** Choices of whoever runs `gatehouse region init`, kept with the secrets for the next run. */
export interface RegionChoices {
  readonly addresses: readonly string[];
  readonly environment: 'test' | 'production';
  readonly names: readonly string[];
  readonly backups: string | null;
  readonly files: string | null;
  /** Major version of PostgreSQL, as the distribution has it. */
  readonly postgresql: number;
}

/** Three machines that each run everything. */
export function regionOf({ addresses, postgresql, ...rest }: RegionChoices, secrets: RegionSecrets): Region {
  const machines = addresses.map((address, index) => ({
    ...{ name: machineNames[index]!, address, user: 'postgres' },
    ports: { etcd: 2379, etcdPeers: 2380, database: 5432, patroni: 8008, primary: 5000 },
    folders: {
      config: configFolder,
      etcd: '/var/lib/etcd/gatehouse',
      database: `/var/lib/postgresql/${postgresql}/gatehouse`,
      socket: '/var/run/postgresql',
      programs: `/usr/lib/postgresql/${postgresql}/bin`,
    },
  }));
  return { ...rest, machines, etcd: machines, secrets };
}

/** Why a region cannot be made of this, in words; null: it can. */
export function whyNoRegion({ addresses, names, backups, files }: RegionChoices): string | null {
  const address = addresses.find(one => !isIPv4(one) || /^(0|127|169\.254)\./.test(one));
  if (address !== undefined)
    return `"${address}" is not the address of a machine: write an IPv4 address such as 10.0.0.21, not a name and not the loopback`;
  if (addresses.length !== machineNames.length || new Set(addresses).size !== addresses.length)
    return 'a region has three machines: write three different addresses, with commas between';
  // Both go into files whose syntax they must not end.
  const name = names.find(one => !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(one));
  if (name !== undefined) return `"${name}" is not a host name: write such as region.example.com`;
  const folder = [backups, files].find(one => one !== null && !/^(\/[\w.-]+)+$/.test(one));
  if (folder !== undefined)
    return `"${folder}" is not a folder to mount a share on: write a whole path of letters, digits, ".", "-" and "_", such as /srv/gatehouse`;
  return null;
}
