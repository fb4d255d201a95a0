import type { Naming } from '../platform/naming.ts';
import type { Directory } from '../store/index.ts';
import type { DevicePage, NamingReport } from './port.ts';

export const namingReport = (naming: Naming, directory: Directory): NamingReport => ({
  vendor: naming.vendor,
  qr_base_url: naming.qrBaseUrl,
  app_type: naming.appType,
  app_id: naming.appId,
  locale: naming.locale,
  products: [...directory.products()].map(({ productId, model, name }) => ({ product_id: productId, model, name })),
});

/**
 * Ordered by device id, so that the last id of a page says where the next one goes on, whatever is
 * registered in between.
 */
export function devicePage(
  directory: Directory,
  { product, after, limit }: { readonly product?: string; readonly after?: string; readonly limit: number },
): DevicePage {
  const found = [...directory.devices()]
    .filter(
      ({ productId, deviceId }) => (product?.toUpperCase() ?? productId) === productId && deviceId > (after ?? ''),
    )
    .sort((one, other) => (one.deviceId < other.deviceId ? -1 : 1));
  const devices = found.slice(0, limit).map(({ deviceId, productId, name }) => ({
    device_id: deviceId,
    product_id: productId,
    name,
    model: directory.product(productId)?.model ?? productId,
  }));
  return { devices, cursor: found.length > limit ? devices.at(-1)!.device_id : null };
}
