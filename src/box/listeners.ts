import { OpenAPIHono } from '@hono/zod-openapi';
import { type Address, type Config, parseAddress } from '../config/index.ts';
import type { Events } from '../events/index.ts';
import {
  HandshakeQueue,
  type HttpSide,
  type Intake,
  type Listener,
  listenFew,
  listenHttp,
  listenHttps,
  listenMqtt,
  listenMqtts,
  listenSocket,
  redirectTo,
  type Served,
  serveByPath,
  serveRouter,
  type TlsSide,
} from '../listeners/index.ts';
import { hasAesInstructions } from '../operations/index.ts';
import { isLoopback } from '../runtime/address.ts';
import type { Apis } from './apis.ts';
import type { ListenerAddresses, ListenerName } from './box.ts';
import { openBoxEvents } from './events.ts';
import type { Gateways } from './gateways.ts';
import { openIntakes } from './intakes.ts';
import { metricsRoutes } from './metrics.ts';
import { type Routers, rowsOf } from './paths.ts';
import { openRouters } from './routers.ts';
import { socketRoutes, staffSide } from './staff-api.ts';
import type { Storage } from './storage.ts';
import { BoxWebhooks } from './webhooks.ts';

/** The last phase: opens the listeners. */
interface Listening {
  readonly addresses: ListenerAddresses;
  readonly served: Readonly<Record<'https' | 'http' | 'metrics' | 'socket', Served>>;
}

/** Opens the listeners of the config, and the Unix socket of the commands. */
export async function openListeners(storage: Storage, gateways: Gateways, apis: Apis): Promise<Listening> {
  const { config, certificates, ticketKeys, browsers, clock, opened } = storage;
  const { devices, upstream } = gateways;
  const log = storage.log.child({ part: 'listeners' });
  const staff = opened.use(staffSide(storage, gateways, apis));
  const intake = openIntakes(config, devices, log);
  devices.onHttpLogin(connection => intake.http.unauthenticated.loggedIn(connection, 'device'));
  staff.onLogin(connection => intake.http.unauthenticated.loggedIn(connection, 'person'));
  const routers = openRouters(storage, gateways, apis, staff);
  const listeners = new Listeners(config, opened);
  apis.ownAddress.bind(listeners.addresses);

  const tls: TlsSide = {
    certificate: certificates.current(),
    legacyHost: () => certificates.legacyHost(),
    legacySuites: config.tls?.legacy_suites === 'on',
    hasAesInstructions: hasAesInstructions(),
    ticketKeys: () => ticketKeys.current(),
    queue: new HandshakeQueue(clock),
  };
  const failed = (gateway: 'mqtt' | 'http') => (from: string, error: Error) => {
    if (gateway === 'http' && browsers.failed(from, error)) return;
    devices.noteTlsFailure(gateway, from, error);
  };
  const httpSide = (served: Served): HttpSide => ({ served, clock, slow: () => devices.noteSlowRequest() });
  const handle = devices.handleMqtt.bind(devices);
  await listeners.open('mqtts', at => listenMqtts('mqtts', at, tls, intake.mqtt, handle, failed('mqtt')));
  await listeners.open('mqtt', at => listenMqtt('mqtt', at, intake.mqtt, handle));
  const https = serveByPath(rowsOf(routers), devices.direct);
  await listeners.open('https', at => listenHttps('https', at, tls, intake.http, httpSide(https), failed('http')));
  const http = serveByPath(rowsOf(withoutTls(config, routers, listeners.addresses.https)));
  await listeners.open('http', at => listenHttp('http', at, intake.http, httpSide(http)));
  const events = await openBoxEvents(storage, gateways, apis);
  if (events) {
    try {
      await listenForPrograms(opened.use(events), { listeners, tls, devices, intake: intake.programs });
      apis.events.bind(events, listeners.addresses.events ?? '');
    } catch (error) {
      // An address that was typed on a page must not keep devices away from the box.
      if (storage.pageSettings.inForce().origin(['listen', 'events']) !== 'page') throw error;
      log.error({}, 'broker_not_open', { why: (error as Error).message });
    }
  }
  const webhooks = opened.use(new BoxWebhooks(storage, events));
  await webhooks.openWhereAny();
  apis.events.bindWebhooks(() => webhooks.all());
  const { backups: scheduled } = apis;
  const backups = scheduled && {
    lastAt: async () => (await apis.admin.backups.report()).last_at,
    report: () => scheduled.report(),
  };
  const metrics = serveRouter(
    () => metricsRoutes({ store: storage.store, devices, upstream, alerts: apis.alerts, clock, backups }),
    { answersHead: true },
  );
  await listeners.open('metrics', at => listenFew('metrics', at, httpSide(metrics)));
  certificates.onRenewed(() => listeners.renew(certificates.current()));
  ticketKeys.onRenewed(() => listeners.renew(certificates.current()));

  const socket = serveRouter(() => socketRoutes(apis.admin, apis.accounts, storage.store));
  opened.use(await listenSocket(config.data_dir, socket, clock));
  return { addresses: listeners.addresses, served: { https, http, metrics, socket } };
}

/** Plain on loopback, with TLS everywhere else. */
async function listenForPrograms(
  events: Events,
  {
    listeners,
    tls,
    devices,
    intake,
  }: { listeners: Listeners; tls: TlsSide; devices: Gateways['devices']; intake: Intake },
): Promise<void> {
  const handle = events.handle.bind(events);
  await listeners.open('events', at =>
    isLoopback(at)
      ? listenMqtt('events', at, intake, handle)
      : listenMqtts('events', at, tls, intake, handle, (from, error) => devices.noteTlsFailure('mqtt', from, error)),
  );
}

/** The listeners under `listen` in the config, opened one after the other. */
class Listeners {
  readonly addresses: Record<ListenerName, string | null> = {
    mqtts: null,
    mqtt: null,
    https: null,
    http: null,
    events: null,
    metrics: null,
  };
  readonly #config: Config;
  readonly #opened: AsyncDisposableStack;
  readonly #listeners: Listener[] = [];

  constructor(config: Config, opened: AsyncDisposableStack) {
    this.#config = config;
    this.#opened = opened;
  }

  async open(name: ListenerName, listen: (address: Address) => Promise<Listener>): Promise<void> {
    const address = parseAddress(this.#config.listen[name]);
    if (!address) return;
    const listener = this.#opened.use(await listen(address));
    this.addresses[name] = listener.address;
    this.#listeners.push(listener);
  }

  renew(certificate: Parameters<Listener['renew']>[0]): void {
    for (const listener of this.#listeners) listener.renew(certificate);
  }
}

/** In environment test, OAuth and the public services are also served without TLS (CONTRACT 2). */
function withoutTls(config: Config, { oauth, services }: Routers, https: string | null): Routers {
  const toHttps = redirectTo(https);
  const redirects = new OpenAPIHono();
  redirects.all('*', call => toHttps(call.req.raw, {}));
  const redirect = () => redirects;
  const isTest = config.environment === 'test';
  return {
    devices: redirect,
    attendance: redirect,
    staff: redirect,
    oauth: isTest ? oauth : redirect,
    services: isTest ? services : redirect,
    about: redirect,
    pages: redirect,
  };
}
