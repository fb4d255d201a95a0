import { limits } from './limits.ts';
import { ok, type Parsed, refuse } from './parsed.ts';

declare const brand: unique symbol;

/**
 * SPEC 2.1: at most 16 digits, upper-case letters and hyphens. Read without case, kept in upper
 * case.
 */
export type ProductId = string & { readonly [brand]: 'ProductId' };

/**
 * `{product_id}_{device_sn}` in upper case. SPEC 2.2: at most 64 characters; letters, digits,
 * hyphens, one underscore.
 */
export type DeviceId = string & { readonly [brand]: 'DeviceId' };

const productPattern = /^[0-9A-Z-]+$/i;
const devicePattern = /^[0-9A-Z-]{1,16}_[0-9A-Z-]+$/i;

export function parseProductId(text: string): Parsed<ProductId> {
  return text.length <= limits.productIdCharactersMax && productPattern.test(text)
    ? ok(text.toUpperCase() as ProductId)
    : refuse('bad_product_id', text.slice(0, 80));
}

export function parseDeviceId(text: string): Parsed<DeviceId> {
  return text.length <= limits.deviceIdCharactersMax && devicePattern.test(text)
    ? ok(text.toUpperCase() as DeviceId)
    : refuse('bad_device_id', text.slice(0, 80));
}

export const productOf = (id: DeviceId): ProductId => id.slice(0, id.indexOf('_')) as ProductId;
export const serialOf = (id: DeviceId): string => id.slice(id.indexOf('_') + 1);
