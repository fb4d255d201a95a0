import type { Env, Hono } from 'hono';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';
import { getPath } from 'hono/utils/url';
import { type BodyBound, bodyBytesDefault, declaredBound } from '../runtime/body-bound.ts';

export type Fetch = (request: Request, environment: object) => Response | Promise<Response>;

export interface ServedRoute {
  /** `ALL` for a route of every method. */
  readonly method: string;
  readonly path: string;
  /** The largest body that it takes. */
  readonly bytesMax: number;
}

/** What a listener serves. */
export interface Served {
  readonly fetch: Fetch;
  /**
   * Each route once, as its router has it; what stands in front of routes (middleware) is left out.
   */
  routes(): readonly ServedRoute[];
  /** The bound of the route of a request. `target` is the request's, with or without a query. */
  bound(method: string, target: string): BodyBound;
}

// A router of any environment: what its handlers are given does not matter here.
// biome-ignore lint/suspicious/noExplicitAny: Hono's own type of a router of any environment
type Router = Hono<any, any, any>;

const usual: BodyBound = { bytesMax: bodyBytesDefault, word: 'too_large' };

/** As the router reads it. */
const pathOf = (target: string): string =>
  getPath({ url: /^https?:/i.test(target) ? target : `http://box${target}` } as Request);

/** Serves routers, asked in this order. They are put together when they are first asked for. */
export function serve(fetch: Fetch, routers: () => readonly Router[]): Served {
  return {
    fetch,
    routes() {
      const found = new Map<string, ServedRoute>();
      for (const { method, path, handler } of routers().flatMap(router => router.routes)) {
        const target = findTargetHandler(handler);
        const name = `${method} ${path}`;
        if (isMiddleware(target) || found.has(name)) continue;
        found.set(name, { method, path, bytesMax: (declaredBound(target) ?? usual).bytesMax });
      }
      return [...found.values()];
    },
    bound(method, target) {
      const path = pathOf(target);
      for (const router of routers()) {
        const [matched] = router.router.match(method === 'HEAD' ? 'GET' : method, path);
        const declared = matched.map(([[handler]]) => declaredBound(findTargetHandler(handler as never)));
        const bound = declared.find(one => one !== undefined);
        if (bound) return bound;
      }
      return usual;
    },
  };
}

/** Serves one router. */
export const serveRouter = (router: Router): Served =>
  serve(
    (request, environment) => router.fetch(request, environment as Env),
    () => [router],
  );
