import type { Router } from '../listeners/index.ts';

/** The parts that serve paths. */
type PathOwner = 'devices' | 'attendance' | 'staff' | 'oauth' | 'services' | 'about' | 'pages';

/**
 * Which part serves a path and everything below it. The first matching row decides. Devices come
 * first because they call most often.
 */
export const pathOwners: readonly (readonly [path: string, owner: PathOwner])[] = [
  ['/api/push', 'devices'],
  ['/api/pull', 'devices'],
  ['/api/connect', 'devices'],
  ['/api/disconnect', 'devices'],
  ['/api/v2.0/log', 'devices'],
  ['/api/v1.0/batch', 'devices'],
  ['/api/v1.0/backups', 'devices'],
  ['/admin/v1', 'staff'],
  ['/v2.0', 'attendance'],
  ['/oauth', 'oauth'],
  ['/api/getUserInfo', 'oauth'],
  ['/.well-known/oauth-authorization-server', 'oauth'],
  ['/api', 'services'],
  ['/public', 'services'],
  ['/.well-known/security.txt', 'about'],
  ['/openapi.json', 'about'],
  ['/asyncapi.json', 'about'],
  ['/', 'pages'],
];

/** Each part's router, built at its first call so that the start does not wait for it. */
export type Routers = Readonly<Record<PathOwner, () => Router>>;

/** Documents and pages, which nothing changes that reads them. */
const onlyRead: readonly PathOwner[] = ['about', 'pages'];

export const rowsOf = (routers: Routers) =>
  pathOwners.map(([path, owner]) => ({
    path,
    router: routers[owner],
    ...(onlyRead.includes(owner) ? { answersHead: true as const } : {}),
  }));
