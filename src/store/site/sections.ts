import { asc, eq } from 'drizzle-orm';
import type { DeviceId } from '../../platform/device-id.ts';
import { forgetPerson } from '../domains/accounts.ts';
import { clientSecretPlace } from '../domains/grants/tables.ts';
import { appKeyPlace } from '../domains/signed-calls.ts';
import { dropUnlessConfirmed, setPeopleDataWord } from '../people/people-data.ts';
import type { Connection } from '../schema/database.ts';
import { device, knowDevice, openOptional, places, readDevice, storedDevice } from '../schema/devices.ts';
import { queryOn } from '../schema/query.ts';
import { type Item, optional, type Section, type SiteData, text, withoutEmpty } from './data.ts';
import { boxes, products } from './directory.ts';
import { calendar, departments, employees, schedules, shifts } from './people.ts';

/**
 * People who sign in, as in the site file. `role: none`: somebody who can only sign in to
 * applications.
 */
export const users: Section = {
  name: 'users',
  secrets: ['password_hash'],
  defaults: {},
  key: item => String(item.name),
  read: ({ sql }) =>
    sql('SELECT name, password_hash, role, headimgurl FROM local_user ORDER BY rowid').all() as Record<
      string,
      unknown
    >[],
  write: ({ sql }, { name, password_hash, role, headimgurl }) =>
    void sql(
      `INSERT INTO local_user (name, password_hash, role, headimgurl) VALUES (?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET password_hash = excluded.password_hash, role = excluded.role,
           headimgurl = excluded.headimgurl`,
    ).run(
      String(name),
      typeof password_hash === 'string' ? password_hash : null,
      String(role),
      typeof headimgurl === 'string' ? headimgurl : '',
    ),
  remove: (context, name) => {
    forgetPerson(context, name);
    context.sql('DELETE FROM local_user WHERE name = ?').run(name);
  },
};

const isAdmin = ({ role, password_hash }: Item): boolean => role === 'admin' && typeof password_hash === 'string';

/**
 * Whether nobody could manage the box any more, and somebody can now. `before`: all that are
 * stored; `listed`: what a file says of some, over what is stored of them.
 */
export function losesLastAdmin(before: readonly Item[], listed: readonly Item[], prune: boolean): boolean {
  const after = new Map(prune ? [] : before.map(item => [item.name, item]));
  const stored = new Map(before.map(item => [item.name, item]));
  for (const said of listed) {
    const merged = { ...stored.get(said.name) };
    for (const [field, value] of Object.entries(said)) if (value !== undefined) merged[field] = value;
    after.set(said.name, merged);
  }
  return before.some(isAdmin) && ![...after.values()].some(isAdmin);
}

const listedDevices = queryOn(orm =>
  orm.select().from(device).where(eq(device.listed, true)).orderBy(asc(device.deviceNo)),
);

const devices: Section = {
  name: 'devices',
  secrets: ['access_key'],
  defaults: {},
  key: item => text(item.device_id).toUpperCase(),
  read: connection =>
    listedDevices(connection)
      .all()
      .map(row => readDevice(row, connection.seal))
      .map(one => ({
        device_id: one.deviceId,
        name: one.name,
        access_key: one.accessKey,
        blocked: one.blocked || undefined,
        people_data: one.peopleData === null || one.peopleData === 'yes',
      })),
  forFile: items => items.map(({ people_data, ...item }) => (people_data ? item : { ...item, people_data })),
  write(connection, item, { at }) {
    const { sql, seal } = connection;
    const id = this.key(item);
    knowDevice(connection, id as DeviceId, at);
    sql('UPDATE device SET name = ?, listed = 1, blocked = ? WHERE device_id = ?').run(
      text(item.name),
      item.blocked ? 1 : 0,
      id,
    );
    const { deviceNo, peopleData, accessKey } = storedDevice(connection, { deviceId: id })!;
    if (item.people_data === true && peopleData !== 'yes') setPeopleDataWord(connection, deviceNo, null);
    if (item.people_data === false && peopleData === null) setPeopleDataWord(connection, deviceNo, 'no');
    const key = optional(item.access_key);
    if (key === undefined) return;
    if (accessKey === text(key)) return;
    // A key in the site file is confirmed: the device was activated elsewhere.
    sql(
      'UPDATE device SET sealed_access_key = ?, key_issued_at = ?, key_confirmed_at = ?, activation_mid = NULL, sealed_next_keys = NULL, sealed_presented_password = NULL WHERE device_id = ?',
    ).run(seal.sealText(text(key), places.accessKey(id)), at, at, id);
  },
  /** Its records stay: the device is still known, but no longer listed. */
  remove(connection, key) {
    connection.sql('UPDATE device SET listed = 0 WHERE device_id = ?').run(key);
    const removed = storedDevice(connection, { deviceId: key });
    if (removed) dropUnlessConfirmed(connection, removed.deviceNo);
  },
};

const apps: Section = {
  name: 'apps',
  secrets: ['app_key'],
  defaults: {},
  key: item => text(item.app_id),
  read: ({ sql, seal }) =>
    (
      sql('SELECT app_id, name, sealed_key FROM app ORDER BY rowid').all() as {
        app_id: string;
        name: string;
        sealed_key: Uint8Array;
      }[]
    ).map(row => ({
      app_id: row.app_id,
      app_key: seal.openText(row.sealed_key, appKeyPlace(row.app_id)),
      name: row.name,
    })),
  write({ sql, seal }, item) {
    const id = this.key(item);
    sql(
      'INSERT INTO app (app_id, sealed_key, name) VALUES (?, ?, ?) ON CONFLICT (app_id) DO UPDATE SET sealed_key = excluded.sealed_key, name = excluded.name',
    ).run(id, seal.sealText(text(item.app_key), appKeyPlace(id)), text(item.name));
  },
  remove: ({ sql }, key) => void sql('DELETE FROM app WHERE app_id = ?').run(key),
};

const attendanceCallers: Section = {
  name: 'attendance_callers',
  secrets: ['app_secret'],
  defaults: {},
  key: item => text(item.app_key),
  read: ({ sql, seal }) =>
    (
      sql('SELECT app_key, name, sealed_secret FROM attendance_caller ORDER BY rowid').all() as {
        app_key: string;
        name: string;
        sealed_secret: Uint8Array;
      }[]
    ).map(row => ({
      app_key: row.app_key,
      app_secret: seal.openText(row.sealed_secret, places.attendanceSecret(row.app_key)),
      name: row.name,
    })),
  write({ sql, seal }, item) {
    const key = this.key(item);
    sql(
      'INSERT INTO attendance_caller (app_key, sealed_secret, name) VALUES (?, ?, ?) ON CONFLICT (app_key) DO UPDATE SET sealed_secret = excluded.sealed_secret, name = excluded.name',
    ).run(key, seal.sealText(text(item.app_secret), places.attendanceSecret(key)), text(item.name));
  },
  remove: ({ sql }, key) => void sql('DELETE FROM attendance_caller WHERE app_key = ?').run(key),
};

const oauthClients: Section = {
  name: 'oauth_clients',
  secrets: ['client_secret'],
  defaults: {},
  key: item => text(item.client_id),
  read: ({ sql, seal }) =>
    (
      sql('SELECT * FROM oauth_client ORDER BY rowid').all() as {
        client_id: string;
        sealed_secret: Uint8Array | null;
        name: string;
        logo_url: string;
        redirect_uris: string;
        needs_redirect_uri: number;
      }[]
    ).map(row => ({
      client_id: row.client_id,
      client_secret: openOptional(seal, row.sealed_secret, clientSecretPlace(row.client_id)) ?? undefined,
      public: row.sealed_secret === null || undefined,
      needs_redirect_uri: row.needs_redirect_uri === 1 || undefined,
      name: row.name,
      logo_url: row.logo_url,
      redirect_uris: JSON.parse(row.redirect_uris),
    })),
  write({ sql, seal }, item) {
    const id = this.key(item);
    sql(
      `INSERT INTO oauth_client (client_id, sealed_secret, name, logo_url, redirect_uris, needs_redirect_uri) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (client_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, name = excluded.name, logo_url = excluded.logo_url, redirect_uris = excluded.redirect_uris, needs_redirect_uri = excluded.needs_redirect_uri`,
    ).run(
      id,
      item.public === true ? null : seal.sealText(text(item.client_secret), clientSecretPlace(id)),
      text(item.name),
      text(item.logo_url),
      JSON.stringify(item.redirect_uris ?? []),
      Number(item.needs_redirect_uri === true),
    );
  },
  remove: ({ sql }, key) => void sql('DELETE FROM oauth_client WHERE client_id = ?').run(key),
};

/** A section whose columns are the file's own fields, with nothing sealed. */
function plain(
  name: keyof SiteData,
  table: string,
  keyColumn: string,
  columns: Readonly<Record<string, string>>,
  options: { secrets?: readonly string[]; defaults?: Item } = {},
): Section {
  const fields = Object.entries(columns);
  const names = [keyColumn, ...fields.map(([, column]) => column)];
  const upsert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT (${keyColumn}) DO UPDATE SET ${fields.map(([, column]) => `${column} = excluded.${column}`).join(', ')}`;
  return {
    name,
    secrets: options.secrets ?? [],
    defaults: options.defaults ?? {},
    key: item => text(item[keyColumn]),
    read: ({ sql }) =>
      (sql(`SELECT * FROM ${table} ORDER BY rowid`).all() as Item[]).map(row => ({
        [keyColumn]: row[keyColumn],
        ...Object.fromEntries(fields.map(([field, column]) => [field, row[column]])),
      })),
    write: ({ sql }, item) =>
      void sql(upsert).run(text(item[keyColumn]), ...fields.map(([field]) => text(item[field]))),
    remove: ({ sql }, key) => void sql(`DELETE FROM ${table} WHERE ${keyColumn} = ?`).run(key),
  };
}

const messageTemplates = plain('message_templates', 'message_template', 'template', { title: 'title', body: 'body' });

const appUpgrades: Section = {
  name: 'app_upgrades',
  secrets: [],
  defaults: {},
  key: item => `${text(item.app_code)} ${text(item.version)}`,
  read: ({ sql }) =>
    (sql('SELECT record FROM app_upgrade ORDER BY rowid').all() as { record: string }[]).map(row =>
      JSON.parse(row.record),
    ),
  write: ({ sql }, item) =>
    void sql(
      'INSERT INTO app_upgrade (app_code, version, record) VALUES (?, ?, ?) ON CONFLICT (app_code, version) DO UPDATE SET record = excluded.record',
    ).run(text(item.app_code), text(item.version), JSON.stringify(item)),
  remove: ({ sql }, key) => {
    const [code = '', version = ''] = key.split(' ');
    sql('DELETE FROM app_upgrade WHERE app_code = ? AND version = ?').run(code, version);
  },
};

/** In the order of the site file; removed in the opposite one. */
export const sections: readonly Section[] = [
  products,
  devices,
  apps,
  boxes,
  attendanceCallers,
  oauthClients,
  users,
  departments,
  employees,
  shifts,
  schedules,
  calendar,
  appUpgrades,
  messageTemplates,
];

/** The whole site in the form of a site file; with secrets only on request. */
export function readSite(connection: Connection, withSecrets: boolean): SiteData {
  const site: Record<string, unknown> = {};
  for (const section of sections) {
    const read = section.read(connection);
    const items = (section.forFile?.(read) ?? read).map(withoutEmpty);
    if (items.length === 0) continue;
    site[section.name] = withSecrets
      ? items
      : items.map(item =>
          Object.fromEntries(Object.entries(item).filter(([field]) => !section.secrets.includes(field))),
        );
  }
  return site as SiteData;
}
