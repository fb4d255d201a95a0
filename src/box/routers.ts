import { OpenAPIHono } from '@hono/zod-openapi';
import { documentAttendance } from '../attendance/index.ts';
import { webUi } from '../listeners/index.ts';
import { SharedText } from '../runtime/compressed.ts';
import { programVersion } from '../runtime/version.ts';
import { documentServices } from '../services/index.ts';
import { described, inLanguage } from '../words/described.ts';
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
      const json = { 'content-type': 'application/json' } as const;
      const documentIn = (language: 'en' | 'zh') =>
        onFirstCall(() => new SharedText(JSON.stringify(documentOf(documented), inLanguage(language))));
      const documents = { en: documentIn('en'), zh: documentIn('zh') };
      about.get('/openapi.json', async context => {
        const document = documents[context.req.query('lang') === 'zh' ? 'zh' : 'en'];
        const { body, headers } = await document().body(context.req.header('accept-encoding'));
        return context.body(body, 200, { ...headers, ...json });
      });
      const topics = new TopicsDocument(events);
      about.get('/asyncapi.json', async context => {
        const text = await topics.under(new URL(context.req.url).hostname);
        if (typeof text === 'string') return context.body(text, 200, json);
        const { body, headers } = await text.body(context.req.header('accept-encoding'));
        return context.body(body, 200, { ...headers, ...json });
      });
      return about;
    }),
  };
}

const namesMax = 8;
const anyName = 'name-of-the-box';

/** /asyncapi.json, which names the broker as its caller named the box. */
class TopicsDocument {
  readonly #events: Apis['events'];
  /** Under any name, and which broker it is about. */
  #made: { readonly broker: string | undefined; readonly text: string } | undefined;
  readonly #byName = new Map<string, SharedText>();

  constructor(events: Apis['events']) {
    this.#events = events;
  }

  /**
   * Under the first eight names it is encoded once; a caller that thinks up more of them gets text
   * that is not compressed.
   */
  async under(hostname: string): Promise<SharedText | string> {
    const broker = this.#events.broker()?.address;
    if (this.#made?.broker !== broker || !this.#made) {
      this.#made = { broker, text: JSON.stringify(await this.#events.document(programVersion, anyName)) };
      this.#byName.clear();
    }
    const known = this.#byName.get(hostname);
    if (known) return known;
    const text = this.#made.text.replaceAll(anyName, () => JSON.stringify(hostname).slice(1, -1));
    if (this.#byName.size >= namesMax) return text;
    const made = new SharedText(text);
    this.#byName.set(hostname, made);
    return made;
  }
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
      description: described(
        'The device gateway over HTTP (SPEC 4.2), OAuth (SPEC 4.6), the public services (SPEC 4.7), the attendance API (SPEC 4.8) and the admin API.',
        'HTTP 设备接入（规范 4.2）、OAuth（规范 4.6）、公共服务（规范 4.7）、考勤接口（规范 4.8）和管理接口。',
      ),
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
