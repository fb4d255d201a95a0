import type { Router } from '../listeners/index.ts';

/** Whoever serves paths of the box. */
type PathOwner = 'devices' | 'attendance' | 'staff' | 'oauth' | 'services' | 'about' | 'pages';

/**
 * Which path belongs to whom, with all that is below it. The first row that fits decides; nobody
 * else is asked. Devices come first because they call most often.
 */
export const pathOwners: readonly (readonly [path: string, owner: PathOwner])[] = [
  ['/api/push', 'devices'],
  ['/api/pull', 'devices'],
  ['/api/connect', 'devices'],
  ['/api/disconnect', 'devices'],
  ['/api/v2.0/log', 'devices'],
  ['/api/v1.0/batch', 'devices'],
  ['/admin/v1', 'staff'],
  ['/v2.0', 'attendance'],
  ['/oauth', 'oauth'],
  ['/api/getUserInfo', 'oauth'],
  ['/.well-known/oauth-authorization-server', 'oauth'],
  ['/api', 'services'],
  ['/public', 'services'],
  ['/.well-known/security.txt', 'about'],
  ['/openapi.json', 'about'],
  ['/', 'pages'],
];

/** Each owner's router, put together at the first call: a start need not wait for it. */
export type Routers = Readonly<Record<PathOwner, () => Router>>;

export const rowsOf = (routers: Routers) => pathOwners.map(([path, owner]) => ({ path, router: routers[owner] }));
