import { sql as expression } from 'drizzle-orm';
import { People } from '../people/people.ts';
import type { ProductRegistration } from '../port/directory.ts';
import { places, readProduct, storedProduct } from '../schema/devices.ts';
import { product } from '../schema/index.ts';
import { queryOn } from '../schema/query.ts';
import { type Item, optional, type Section, text } from './section.ts';

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
