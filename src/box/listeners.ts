import { OpenAPIHono } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { Accounts } from '../accounts/index.ts';
import { type Attendance, documentAttendance } from '../attendance/index.ts';
import { type Address, type Config, parseAddress } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import {
  HandshakeQueue,
  type Intake,
  type Listener,
  listenFew,
  listenHttp,
  listenHttps,
  listenMqtt,
  listenMqtts,
  redirectTo,
  type Served,
  Strangers,
  serve,
  serveRouter,
} from '../listeners/index.ts';
import { type Certificates, connectionBounds, loweredTo, openFilesMax } from '../operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { programVersion } from '../runtime/version.ts';
import { documentServices, type Services } from '../services/index.ts';
import { securityTxt } from './security-txt.ts';
import type { staffSide } from './staff-api.ts';

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
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}

/**
 * A hall of terminals behind one address comes back together after a power cut; each has logged in
 * within a second or two.
 */
const strangersOfOneAddress = 256;

/**
 * Who may connect over MQTT and over HTTP: as many as open files allow, and so many that have not
 * logged in.
 */
function intakes(config: Config, { devices, log }: Pick<DoorParts, 'devices' | 'log'>) {
  const openFiles = openFilesMax();
  const bounds = connectionBounds(openFiles, config.upstream?.mode === 'per-device');
  const lowered = loweredTo(bounds);
  if (lowered !== null)
    log.warn(
      { openFiles, devices: lowered },
      `at most ${lowered} devices over MQTT and as many over HTTP may be connected at once: the process may open ${openFiles} files; raise LimitNOFILE of the service, or \`ulimit -n\``,
    );
  const intakeOf = (door: 'mqtt' | 'http', connectionsMax: number): Intake => ({
    strangers: new Strangers(
      { ofOneAddress: strangersOfOneAddress, inAll: bounds.strangers, devices: bounds.devices },
      (address, why) => devices.noteTooMany(door, address, why),
    ),
    connectionsMax,
    full: address => devices.noteTooMany(door, address, `${connectionsMax} in all`),
  });
  return { mqtt: intakeOf('mqtt', bounds.ofMqtt), http: intakeOf('http', bounds.ofHttp) };
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
  const intake = intakes(config, parts);
  devices.onHttpLogin(connection => intake.http.strangers.loggedIn(connection, 'device'));
  parts.staff.onLogin(connection => intake.http.strangers.loggedIn(connection, 'person'));
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
  const theRest = () => (web ??= everything(config, parts));
  // Devices have a router to themselves: among all the pages and APIs each of their calls would
  // look for longer, and pass through more hands.
  const overTls = devices.routes.notFound(call => theRest().fetch(call.req.raw, call.env));
  const https = serve(
    (request, environment) => overTls.fetch(request, environment as never),
    () => [devices.routes, theRest()],
  );
  const handle = devices.handleMqtt.bind(devices);
  const tls = {
    certificate: certificates.current(),
    legacySuites: config.tls?.legacy_suites === 'on',
    queue: new HandshakeQueue(),
  };
  const slow = () => devices.noteSlowRequest();
  await open('mqtts', address =>
    listenMqtts('mqtts', address, tls, intake.mqtt, handle, (from, error) =>
      devices.noteTlsFailure('mqtt', from, error),
    ),
  );
  await open('mqtt', address => listenMqtt('mqtt', address, intake.mqtt, handle));
  await open('https', address =>
    listenHttps('https', address, tls, intake.http, { served: https, clock, slow }, (from, error) =>
      devices.noteTlsFailure('http', from, error),
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
  await open('http', address => listenHttp('http', address, intake.http, { served: http, clock, slow }));
  const served = { https, http, metrics: serveRouter(metrics) } satisfies Record<string, Served>;
  await open('metrics', address => listenFew('metrics', address, { served: served.metrics, clock, slow }));
  return { addresses, listeners, served };
}

/** All that is served over TLS. */
function everything(config: Config, { staff, devices, attendance, accounts, services, clock }: DoorParts): OpenAPIHono {
  const app = new OpenAPIHono();
  // Asked before (openDoors); here they stand in /openapi.json.
  app.route('/', devices.routes);
  app.route('/', attendance.routes);
  app.route('/', staff.api());
  app.route('/', staff.pages());
  app.route('/', accounts.oauth);
  app.route('/', services.routes);
  securityTxt(app, config.security, clock);
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
