import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Accounts } from '../accounts/index.ts';
import {
  type AdminIdentity,
  adminRoutes,
  type BoxAdmin,
  byCommand,
  EventStreams,
  eventStreamRoutes,
  LiveFeed,
  ownPageRoutes,
  type PageParts,
  uiRoutes,
} from '../admin/index.ts';
import { askTimeServer, clockSynchronized, ownNetwork } from '../operations/index.ts';
import { employeeName } from '../platform/reserved-names.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import type { LevelStore, WholeStore } from '../store/index.ts';
import type { Apis } from './apis.ts';
import { tryBroker } from './broker-test.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';

/** Identity of a caller, regardless of the tables. */
type Identity = Omit<AdminIdentity, 'tablesHoldAll'>;

/**
 * A process that may open the Unix socket is an admin. Changes by commands go to the audit log like
 * all others.
 */
const onTheSocket = (accounts: Accounts): Identity => ({
  callerOf: async () => ({ ok: true, caller: byCommand.caller }),
  audit: entry => accounts.access.audit(entry),
  auditRead: entry => accounts.access.auditRead(entry),
});

const overHttps = (
  accounts: Accounts,
  loggedIn: (connection: object) => void,
  adminHere: (connection: Socket) => void,
): Identity => ({
  async callerOf(context) {
    const { incoming } = context.env as HttpBindings;
    const found = await accounts.access.identify(incoming);
    if (found.ok || found.why === 'events') loggedIn(incoming.socket);
    if (found.ok && found.caller.role === 'admin') adminHere(incoming.socket);
    return found;
  },
  audit: entry => accounts.access.audit(entry),
  auditRead: entry => accounts.access.auditRead(entry),
});

/** Employees at "My attendance", who have no role in the audit log. */
const ofEmployees = (accounts: Accounts): Identity => ({
  async callerOf(context) {
    const { incoming } = context.env as HttpBindings;
    const address = plainAddress(incoming.socket.remoteAddress ?? '');
    const employee = await accounts.ownPages.identify(incoming);
    if (typeof employee === 'string') return { ok: false, why: employee, address };
    const name = employeeName(employee.extId);
    return { ok: true, caller: { actor: name, account: name, role: 'viewer', via: 'session', address }, employee };
  },
  audit: entry => accounts.access.audit({ ...entry, role: '' }),
  auditRead: entry => accounts.access.auditRead({ ...entry, role: '' }),
});

/**
 * The tables behind the journal rest while nobody asks for them: for whoever is let in they are
 * made level first.
 */
const levelled = (identity: Identity, store: LevelStore & WholeStore): AdminIdentity => ({
  ...identity,
  async callerOf(context) {
    const found = await identity.callerOf(context);
    if (found.ok) await store.level();
    return found;
  },
  tablesHoldAll: withinMs => store.whole(withinMs),
});

/**
 * Forbids caches to keep names, records and keys, so that nothing stays in the browser after a
 * sign-out.
 */
const notStored: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('Cache-Control', 'no-store');
};

/** The admin API on the Unix socket, for the commands. */
export function socketRoutes(admin: BoxAdmin, accounts: Accounts, store: LevelStore & WholeStore): OpenAPIHono {
  const app = new OpenAPIHono();
  app.route('/admin/v1', adminRoutes(admin, levelled(onTheSocket(accounts), store)));
  return app;
}

/** The admin API for browsers and tokens, with sign-in; served over TLS only. */
export interface StaffSide extends AsyncDisposable {
  api(): OpenAPIHono;
  /** Called with the connection of each request that carries a valid session or token. */
  onLogin(listener: (connection: object) => void): void;
}

export function staffSide(storage: Storage, { devices, upstream, boxBackups }: Gateways, apis: Apis): StaffSide {
  const { config, store, certificates, clock, settings, pageSettings } = storage;
  const { accounts, restart } = apis;
  const parts: PageParts = {
    ...apis,
    ...{ store, devices, upstream, boxBackups, config, certificates, clock, settings, pageSettings },
    site: config.site,
    log: storage.log.child({ part: 'pages' }),
    restarter: () => restart.act,
    broker: { try: listen => tryBroker(listen, apis.events.broker()?.address ?? null, config, clock) },
    isBrowser: address => storage.browsers.has(address),
    isOnline: device => devices.isOnline(device.deviceNo),
    clockSynchronized,
    ownNetwork,
    askTimeServer: host => askTimeServer(host, clock),
    ports: () => ({ mqtts: apis.ownAddress.mqttsPort, https: apis.ownAddress.httpsPort }),
  };
  const feed = new LiveFeed(parts);
  const streams = new EventStreams({ source: apis.events, clock, access: accounts.access });
  let loggedIn: (connection: object) => void = () => {};
  return {
    api() {
      const app = new OpenAPIHono();
      app.use('/admin/v1/*', notStored);
      app.route('/admin/v1/own-page', accounts.employees as never);
      app.route('/admin/v1', ownPageRoutes(parts, levelled(ofEmployees(accounts), store)));
      app.route('/admin/v1', accounts.staff as never);
      app.route(
        '/admin/v1',
        adminRoutes(
          apis.admin,
          levelled(
            overHttps(
              accounts,
              connection => loggedIn(connection),
              connection => apis.addressChanges.used(connection),
            ),
            store,
          ),
          admin => {
            uiRoutes(admin, parts, feed);
            eventStreamRoutes(admin, streams);
          },
        ),
      );
      return app;
    },
    onLogin(listener) {
      loggedIn = listener;
    },
    async [Symbol.asyncDispose]() {
      streams[Symbol.dispose]();
      await feed[Symbol.asyncDispose]();
    },
  };
}
