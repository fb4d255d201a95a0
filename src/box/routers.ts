import { OpenAPIHono } from '@hono/zod-openapi';
import { documentAttendance } from '../attendance/index.ts';
import { webUi } from '../listeners/index.ts';
import { compressed } from '../runtime/compressed.ts';
import { programVersion } from '../runtime/version.ts';
import { documentServices } from '../services/index.ts';
import type { Apis } from './apis.ts';
import type { Gateways } from './gateways.ts';
import type { Routers } from './paths.ts';
import { securityTxt } from './security-txt.ts';
import type { StaffSide } from './staff-api.ts';
import type { Storage } from './storage.ts';

/**
 * The routers of everything that is served over TLS. `paths.ts` says which router gets which path.
 */
export function openRouters(
  { config, clock }: Storage,
  { devices }: Gateways,
  { attendance, accounts, services, events }: Apis,
  staff: StaffSide,
): Routers {
  const routers = {
    devices: () => devices.routes,
    attendance: () => attendance.routes,
    staff: onFirstCall(() => staff.api()),
    oauth: () => accounts.oauth,
    services: () => services.routes,
    pages: onFirstCall(() => webUi(config.site)),
  };
  const documented = [routers.devices, routers.attendance, routers.staff, routers.oauth, routers.services];
  return {
    ...routers,
    about: onFirstCall(() => {
      const about = new OpenAPIHono();
      securityTxt(about, config.security, clock);
      const document = onFirstCall(() => JSON.stringify(documentOf(documented)));
      about.get('/openapi.json', async context => {
        const { body, headers } = await compressed(document(), context.req.header('accept-encoding'));
        return context.body(body, 200, { ...headers, 'content-type': 'application/json' });
      });
      about.get('/asyncapi.json', async context => {
        const text = JSON.stringify(await events.document(programVersion, new URL(context.req.url).hostname));
        const { body, headers } = await compressed(text, context.req.header('accept-encoding'));
        return context.body(body, 200, { ...headers, 'content-type': 'application/json' });
      });
      return about;
    }),
  };
}

/** The OpenAPI documents of all APIs, merged into one. */
function documentOf(apis: readonly (() => ReturnType<Routers['devices']>)[]) {
  const all = new OpenAPIHono();
  for (const api of apis) all.route('/', api());
  documentServices(all);
  documentAttendance(all);
  return all.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: programVersion,
      description:
        'The device gateway over HTTP (SPEC 4.2), OAuth (SPEC 4.6), the public services (SPEC 4.7), the attendance API (SPEC 4.8) and the admin API.',
    },
  });
}

function onFirstCall<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
