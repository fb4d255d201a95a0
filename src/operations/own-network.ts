import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';

/** Network of this machine, as its operating system has set it. */
interface OwnNetwork {
  readonly hostName: string;
  /** Those that others reach; addresses with their prefix, such as `192.0.2.4/24`. */
  readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** The way to everywhere else; null: there is none. */
  readonly router: Router | null;
  readonly nameServers: readonly string[];
}

interface Router {
  readonly address: string;
  readonly name: string;
}

const resolverFiles = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'] as const;
/** Where systemd-resolved answers: the servers that it asks are in its own file. */
const stub = '127.0.0.53';

/** `resolvers`: contents of the files that name the servers, in the syntax of resolv.conf(5). */
export function ownNetwork(resolvers: readonly string[] = resolverFiles.map(readOrEmpty)): OwnNetwork {
  const interfaces = Object.entries(networkInterfaces()).map(([name, all]) => ({
    name,
    addresses: (all ?? [])
      .filter(one => !one.internal && !/^fe80/i.test(one.address))
      .map(one => one.cidr ?? one.address),
  }));
  const servers = resolvers.flatMap(nameServersIn).filter(one => one !== stub);
  return {
    hostName: hostname(),
    interfaces: interfaces.filter(({ addresses }) => addresses.length > 0),
    router: routerIn(),
    nameServers: [...new Set(servers)],
  };
}

const nameServersIn = (text: string): string[] =>
  text.split('\n').flatMap(line => {
    const [word, address] = line.trim().split(/\s+/);
    return word === 'nameserver' && address ? [address] : [];
  });

/** `/proc/net/route` has addresses in the byte order of the machine, lowest byte first. */
export function routerIn(routes: string = readOrEmpty('/proc/net/route')): Router | null {
  for (const line of routes.split('\n').slice(1)) {
    const [name, destination, gateway] = line.split(/\s+/);
    if (destination !== '00000000' || !gateway || gateway === '00000000') continue;
    const address = [6, 4, 2, 0].map(at => Number.parseInt(gateway.slice(at, at + 2), 16)).join('.');
    return { address, name: name! };
  }
  return null;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
