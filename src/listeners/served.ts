import type { Env, Hono } from 'hono';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';
import { getPath } from 'hono/utils/url';
import { type BodyBound, bodyBytesDefault, declaredBound } from '../runtime/body-bound.ts';
import type { Direct } from '../runtime/direct.ts';

export type Fetch = (request: Request, environment: object) => Response | Promise<Response>;

export interface ServedRoute {
  /** `ALL` for a route of every method. */
  readonly method: string;
  readonly path: string;
  /** The largest body that the route accepts, in bytes. */
  readonly bytesMax: number;
}

/** Handlers of a listener. */
export interface Served {
  readonly fetch: Fetch;
  /** Asked before `fetch`, for requests without a body or with one within the usual bound. */
  readonly direct: Direct;
  /** All routes, each once, without middleware. */
  routes(): readonly ServedRoute[];
  /**
   * The body bound of a request's route. `target` is the request target, with or without a query.
   */
  bound(method: string, target: string): BodyBound;
}

// A router of any environment: what its handlers are given does not matter here.
// biome-ignore lint/suspicious/noExplicitAny: Hono's own type of a router of any environment
export type Router = Hono<any, any, any>;

/** A path, and the router of all requests for it and for what is below it. */
interface PathRow {
  readonly path: string;
  readonly router: () => Router;
  /**
   * No GET of this router changes anything: HEAD is answered by its GET. Of the others it is 405,
   * but for routes that are registered for HEAD.
   */
  readonly answersHead?: true;
}

const usual: BodyBound = { bytesMax: bodyBytesDefault, word: 'too_large' };

/** The path as Hono's routers read it. */
const pathOf = (target: string): string =>
  getPath({ url: /^https?:/i.test(target) ? target : `http://box${target}` } as Request);

/** Whether `path` is `row`, or below it. */
const isWithin = (row: string, path: string): boolean =>
  path.startsWith(row) && (row === '/' || path.length === row.length || path[row.length] === '/');

/** The handler that a request ends at; undefined: there is none. */
function endsAt({ router }: Router, method: string, path: string): unknown {
  const [matched] = router.match(method, path);
  return matched.map(([[handler]]) => findTargetHandler(handler as never)).find(handler => !isMiddleware(handler));
}

/** Hono runs the GET of a path for HEAD, whatever it does. */
function mayHead({ router: open, answersHead }: PathRow, path: string): boolean {
  if (answersHead) return true;
  const router = open();
  const get = endsAt(router, 'GET', path);
  return get === undefined || endsAt(router, 'HEAD', path) === get;
}

const notForHead = (): Response => new Response(null, { status: 405, headers: { allow: 'GET' } });

/**
 * Sends each request that `direct` leaves to the router of the first row whose path matches. The
 * last row's path is `/`.
 */
export function serveByPath(rows: readonly PathRow[], direct: Direct = () => null): Served {
  const last = rows.at(-1);
  if (last?.path !== '/') throw new Error('the last row of a table of paths has the path /');
  const rowFor = (path: string): PathRow => rows.find(row => isWithin(row.path, path)) ?? last;
  const routerFor = (path: string): Router => rowFor(path).router();
  return {
    direct,
    fetch(request, environment) {
      const path = getPath(request);
      if (request.method === 'HEAD' && !mayHead(rowFor(path), path)) return notForHead();
      return routerFor(path).fetch(request, environment as Env);
    },
    routes() {
      const found = new Map<string, ServedRoute>();
      const routers = new Set(rows.map(({ router }) => router()));
      for (const { method, path, handler } of [...routers].flatMap(router => router.routes)) {
        const target = findTargetHandler(handler);
        const name = `${method} ${path}`;
        if (isMiddleware(target) || found.has(name)) continue;
        found.set(name, { method, path, bytesMax: (declaredBound(target) ?? usual).bytesMax });
      }
      return [...found.values()];
    },
    bound(method, target) {
      const path = pathOf(target);
      const [matched] = routerFor(path).router.match(method === 'HEAD' ? 'GET' : method, path);
      const declared = matched.map(([[handler]]) => declaredBound(findTargetHandler(handler as never)));
      return declared.find(one => one !== undefined) ?? usual;
    },
  };
}

/** Serves one router, which is built at its first use. */
export function serveRouter(make: () => Router, head: Pick<PathRow, 'answersHead'> = {}): Served {
  let router: Router | undefined;
  return serveByPath([{ path: '/', router: () => (router ??= make()), ...head }]);
}
