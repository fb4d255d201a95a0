import { OpenAPIHono } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { Accounts } from './accounts/index.ts';
import { type Attendance, documentAttendance } from './attendance/index.ts';
import type { staffSide } from './box-admin.ts';
import { type Listener, listenHttp, listenHttps, listenMqtt, listenMqtts, redirectTo } from './box-listeners.ts';
import { type Served, serve, serveRouter } from './box-served.ts';
import { type Address, type Config, parseAddress } from './config/index.ts';
import type { Devices } from './devices/index.ts';
import type { Certificates } from './operations/index.ts';
import type { Clock } from './platform/clock.ts';
import { programVersion } from './platform/version.ts';
import { documentServices, type Services } from './services/index.ts';

export type ListenerName = Exclude<keyof Config['listen'], 'mqtt_framing'>;

interface DoorParts {
  readonly staff: ReturnType<typeof staffSide>;
  readonly devices: Devices;
  readonly attendance: Attendance;
  readonly accounts: Accounts;
  readonly services: Services;
  readonly certificates: Certificates;
  readonly metrics: Hono;
  readonly clock: Clock;
  readonly opened: AsyncDisposableStack;
}

/** Opens the listeners of the config and says what each of them serves. */
export async function openDoors(config: Config, parts: DoorParts) {
  const { devices, accounts, services, certificates, metrics, clock, opened } = parts;
  const addresses: Record<ListenerName, string | null> = {
    mqtts: null,
    mqtt: null,
    https: null,
    http: null,
    metrics: null,
  };
  const listeners: Listener[] = [];
  const open = async (name: ListenerName, listen: (address: Address) => Promise<Listener>) => {
    const address = parseAddress(config.listen[name]);
    if (!address) return;
    const listener = opened.use(await listen(address));
    addresses[name] = listener.address;
    listeners.push(listener);
  };
  // Put together for the first that asks: a start need not wait for it.
  let web: OpenAPIHono | undefined;
  const theRest = () => (web ??= everything(parts));
  // Devices have a router to themselves: among all the pages and APIs each of their calls would look for longer, and pass through more hands.
  const overTls = devices.routes.notFound(call => theRest().fetch(call.req.raw, call.env));
  const https = serve(
    (request, environment) => overTls.fetch(request, environment as never),
    () => [devices.routes, theRest()],
  );
  const handle = devices.handleMqtt.bind(devices);
  const certificate = certificates.current();
  await open('mqtts', address =>
    listenMqtts('mqtts', address, certificate, handle, (from, error) => devices.noteTlsFailure('mqtt', from, error)),
  );
  await open('mqtt', address => listenMqtt('mqtt', address, handle));
  await open('https', address =>
    listenHttps(
      'https',
      address,
      certificate,
      https,
      (from, error) => devices.noteTlsFailure('http', from, error),
      clock,
    ),
  );
  const toHttps = redirectTo(addresses.https);
  /** What may be had without TLS too, in environment test (CONTRACT 2). */
  const plain = new OpenAPIHono();
  if (config.environment === 'test') {
    plain.route('/', accounts.oauth);
    plain.route('/', services.routes);
  }
  plain.all('*', call => toHttps(call.req.raw, {}));
  const http = serveRouter(plain);
  await open('http', address => listenHttp('http', address, http, clock));
  const served = { https, http, metrics: serveRouter(metrics) } satisfies Record<string, Served>;
  await open('metrics', address => listenHttp('metrics', address, served.metrics, clock));
  return { addresses, listeners, served };
}

/** All that is served over TLS. */
function everything({ staff, devices, attendance, accounts, services }: DoorParts): OpenAPIHono {
  const app = new OpenAPIHono();
  // Asked before (openDoors); here they stand in /openapi.json.
  app.route('/', devices.routes);
  app.route('/', attendance.routes);
  app.route('/', staff.api());
  app.route('/', staff.pages());
  app.route('/', accounts.oauth);
  app.route('/', services.routes);
  let isDocumented = false;
  app.doc31('/openapi.json', () => {
    if (!isDocumented) {
      documentServices(app);
      documentAttendance(app);
    }
    isDocumented = true;
    return {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: programVersion,
        description:
          'The device gateway over HTTP (SPEC 4.2), OAuth (SPEC 4.6), the public services (SPEC 4.7), the attendance API (SPEC 4.8) and the admin API.',
      },
    };
  });
  return app;
}
