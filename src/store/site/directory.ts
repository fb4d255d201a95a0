import { sql as expression } from 'drizzle-orm';
import type { DeviceId } from '../../platform/device-id.ts';
import { People } from '../people/people.ts';
import type { ProductRegistration } from '../port/directory.ts';
import type { Connection } from '../schema/database.ts';
import { knowDevice, places, product, readProduct, storedProduct } from '../schema/devices.ts';
import { queryOn } from '../schema/query.ts';
import { type Item, optional, type Section, text } from './data.ts';

const listedProducts = queryOn(orm => orm.select().from(product).orderBy(expression`rowid`));

export const products: Section = {
  name: 'products',
  secrets: ['product_key', 'other_environment_key'],
  defaults: { access: 'both' },
  key: item => text(item.product_id).toUpperCase(),
  read: connection =>
    listedProducts(connection)
      .all()
      .map(row => ({ ...readProduct(row, connection.seal), icon: row.icon, introduction: row.introduction }))
      .map(one => ({
        product_id: one.productId,
        product_key: one.productKey,
        other_environment_key: one.otherEnvironmentKey,
        name: one.name,
        icon: one.icon,
        introduction: one.introduction,
        model: one.model,
        access: one.access,
        face_features: one.faceFeatures,
        pass_features: one.passFeatures,
        ...one.registration,
      })),
  /** Exports only what differs from the default. */
  forFile: items =>
    items.map(({ face_features, pass_features, app_supported, attributes, ...item }) => ({
      ...item,
      ...(face_features ? {} : { face_features }),
      ...(pass_features ? { pass_features } : {}),
      ...(app_supported ? {} : { app_supported }),
      ...(Object.keys(attributes as Item).length === 0 ? {} : { attributes }),
    })),
  write(connection, item) {
    const { sql, seal } = connection;
    const id = this.key(item);
    const other = optional(item.other_environment_key);
    const before = storedProduct(connection, id);
    const passFeatures = item.pass_features === true;
    sql(
      `INSERT INTO product (product_id, name, icon, introduction, model, access, sealed_key, sealed_other_environment_key, face_features, pass_features, registration)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (product_id) DO UPDATE SET name = excluded.name, icon = excluded.icon,
       introduction = excluded.introduction, model = excluded.model, access = excluded.access, sealed_key = excluded.sealed_key,
       sealed_other_environment_key = excluded.sealed_other_environment_key, face_features = excluded.face_features,
       pass_features = excluded.pass_features, registration = excluded.registration`,
    ).run(
      id,
      text(item.name),
      text(item.icon),
      text(item.introduction),
      text(item.model) || id,
      text(item.access),
      seal.sealText(text(item.product_key), places.productKey(id)),
      other === undefined ? null : seal.sealText(text(other), places.otherEnvironmentKey(id)),
      item.face_features === false ? 0 : 1,
      Number(passFeatures),
      JSON.stringify(registrationOf(item)),
    );
    if (before && before.passFeatures !== passFeatures) new People(connection).changedWith('pass');
  },
  remove: ({ sql }, key) => void sql('DELETE FROM product WHERE product_id = ?').run(key),
};

/** Registration fields that are set; absent ones are not stored. */
function registrationOf(item: Item): Partial<ProductRegistration> {
  const { discovery, network_configuration, network_configuration_flow, app_supported, attributes } =
    item as Partial<ProductRegistration>;
  return {
    ...(discovery ? { discovery } : {}),
    ...(network_configuration ? { network_configuration } : {}),
    ...(network_configuration_flow ? { network_configuration_flow } : {}),
    ...(app_supported === false ? { app_supported } : {}),
    ...(attributes ? { attributes } : {}),
  };
}

const upper = (value: unknown): string => String(value ?? '').toUpperCase();

/**
 * Assigned by a person or a file, not merely brought: the devices that a site file lists for a box.
 */
const placed = "belongs_by IN ('site', 'staff')";

/**
 * The boxes below whose batches are accepted, with the devices assigned to them. Devices that a box
 * only brought are not exported: it will bring them again.
 */
export const boxes: Section = {
  name: 'boxes',
  secrets: [],
  defaults: { devices: [] },
  key: item => upper(item.box_id),
  compared: item => (Array.isArray(item.devices) ? { ...item, devices: idsOf(item.devices) } : item),
  read: ({ sql }) =>
    (sql('SELECT box_id, name FROM box_below ORDER BY rowid').all() as { box_id: string; name: string }[]).map(
      ({ box_id, name }) => ({ box_id, name, devices: placedAt({ sql }, box_id) }),
    ),
  forFile: items =>
    items.map(({ devices, ...item }) => ((devices as string[]).length > 0 ? { ...item, devices } : item)),
  write({ sql, later }, item, { at }) {
    const boxId = this.key(item);
    sql(
      'INSERT INTO box_below (box_id, name) VALUES (?, ?) ON CONFLICT (box_id) DO UPDATE SET name = excluded.name',
    ).run(boxId, String(item.name ?? ''));
    const listed = idsOf(item.devices as unknown[]);
    const before = placedAt({ sql }, boxId);
    for (const deviceId of before)
      if (!listed.includes(deviceId))
        later('UPDATE device SET belongs_to = NULL, belongs_by = NULL WHERE device_id = ?', deviceId);
    for (const deviceId of listed) {
      if (before.includes(deviceId)) continue;
      knowDevice({ later }, deviceId as DeviceId, at);
      later("UPDATE device SET belongs_to = ?, belongs_by = 'site' WHERE device_id = ?", boxId, deviceId);
    }
  },
  remove: (connection, key) => void removeBox(connection, key),
};

/**
 * Its devices belong to the next box that brings them, and of its batches nothing is remembered.
 * Returns false if it was not listed.
 */
export function removeBox({ sql }: Pick<Connection, 'sql'>, boxId: string): boolean {
  sql('UPDATE device SET belongs_to = NULL, belongs_by = NULL WHERE belongs_to = ?').run(boxId);
  // Whichever copy of it comes next is taken, and counts from where it is itself.
  sql("DELETE FROM remembered WHERE service IN ('box below', 'box heard') AND key = ?").run(boxId);
  sql('DELETE FROM batch_cursor WHERE box_no IN (SELECT device_no FROM device WHERE device_id = ?)').run(boxId);
  return sql('DELETE FROM box_below WHERE box_id = ?').run(boxId).changes > 0;
}

const placedAt = ({ sql }: Pick<Connection, 'sql'>, boxId: string): string[] =>
  (
    sql(`SELECT device_id FROM device WHERE belongs_to = ? AND ${placed} ORDER BY device_id`).all(boxId) as {
      device_id: string;
    }[]
  ).map(row => row.device_id);

/** As they are stored: in upper case, in order, each once. */
const idsOf = (ids: readonly unknown[]): string[] => [...new Set(ids.map(upper))].sort();
