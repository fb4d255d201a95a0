import { withoutEnd } from '../runtime/without-end.ts';
import { type DeviceId, type ProductId, parseDeviceId, parseProductId, productOf } from './device-id.ts';
import { limits } from './limits.ts';
import { ok, type Parsed, refuse } from './parsed.ts';

/** The forms of SPEC 2.4. `1` is the one to write; apps read the legacy ones for activation. */
export const qrForms = ['1', 'legacy-path', 'legacy-query'] as const;
export type QrForm = (typeof qrForms)[number];

export const qrAppTypes = ['app', 'wxmp'] as const;

/** SPEC 3.5. Only a device that draws the code on a screen has one: paper does not change. */
export const qrStatuses = {
  '-1': 'not networked',
  '0': 'connected to the platform',
  '1': 'connection failed',
} as const;
export type QrStatus = -1 | 0 | 1;

/**
 * Contents that can be written. Values are letters, digits, hyphens and underscores (SPEC 2.4); a
 * model may have dots.
 */
export type QrCode =
  | {
      readonly form: '1';
      readonly appType: string;
      readonly appId: string;
      /** Device id; null, written as 0, if the device cannot show it. */
      readonly deviceId: DeviceId | null;
      readonly funcType: string;
      readonly productId: ProductId;
      readonly status: QrStatus | null;
    }
  | {
      readonly form: 'legacy-path' | 'legacy-query';
      readonly deviceId: DeviceId;
      readonly model: string;
      readonly status: QrStatus | null;
    };

/** The parsed code. Unknown types and functions are kept as they are. */
export interface QrContent {
  readonly form: QrForm;
  /** Device id; null for 0: the device is to be asked for by name. */
  readonly deviceId: DeviceId | null;
  /** Product of the device id, otherwise the one in `product`; null if that is no product_id. */
  readonly productId: ProductId | null;
  /**
   * The value of `product` where it is not the product_id: legacy forms carry the model there, and
   * so do some of form 1.
   */
  readonly model: string | null;
  /** Null in the legacy forms, and so is `appId`. */
  readonly appType: string | null;
  readonly appId: string | null;
  /** `activate`, or another function of the device. */
  readonly funcType: string;
  /** -1, 0, 1 (SPEC 3.5) or any other value; null if the code has none. */
  readonly status: number | null;
}

/** The text of the code. `baseUrl` is taken without slashes at its end. */
export function makeQrContent(baseUrl: string, code: QrCode): string {
  const base = withoutEnd(baseUrl, '/');
  const status = code.status === null ? '' : `&status=${code.status}`;
  if (code.form === '1') {
    const { appType, appId, deviceId, funcType, productId } = code;
    const path = [appType, appId, 'd', deviceId ?? '0', funcType].map(encodeURIComponent).join('/');
    return `${base}/${path}?product=${productId}${status}`;
  }
  const model = encodeURIComponent(code.model);
  return code.form === 'legacy-path'
    ? `${base}/d/${code.deviceId}/activate?product=${model}${status}`
    : `${base}?from=device&action=activate&product=${model}&device=${code.deviceId}${status}`;
}

/**
 * Reads any of the three forms (SPEC 2.4), with any base address. The query may be in any order and
 * letter case, `productID` is read as `product`, percent escapes are decoded, extra slashes are
 * skipped.
 *
 * A base whose path has two steps or more makes form 1 and the legacy path look alike: it is form 1
 * when the first step is a type that SPEC knows, or when nothing speaks for the other (`activate`,
 * with a product that is a model). The device is the same either way.
 */
export function parseQrContent(text: string): Parsed<QrContent> {
  if (text.length > limits.qrCharactersMax) return refuse('qr_too_long', `${text.length} characters`);
  const address = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+([^?#]*)\??([^#]*)/i.exec(text.trim());
  if (!address) return refuse('qr_no_address', shown(text));
  const steps = address[1]!.split('/').filter(step => step !== '');
  const query = queryOf(address[2]!);
  const [product, status] = [query.get('product') ?? query.get('productid'), query.get('status')];
  if (steps.at(-3)?.toLowerCase() === 'd') {
    // Steps that cannot be a type and an id belong to the base of the legacy form.
    const app = decoded({ appType: steps.at(-5), appId: steps.at(-4) });
    const { appType, appId } = app.ok && app.value.appType !== undefined ? app.value : {};
    const named = decoded({ deviceID: steps.at(-2), funcType: steps.at(-1), product, status });
    if (!named.ok) return named;
    const values = { ...named.value, appType, appId };
    return contentOf(values, isForm1(values) ? '1' : 'legacy-path');
  }
  if (!query.has('device')) return refuse('qr_unknown_form', shown(text));
  const named = decoded({ deviceID: query.get('device'), funcType: query.get('action'), product, status });
  return named.ok ? contentOf(named.value, 'legacy-query') : named;
}

type Values = Readonly<
  Record<'appType' | 'appId' | 'deviceID' | 'funcType' | 'product' | 'status', string | undefined>
>;

function isForm1({ appType, funcType, deviceID, product }: Values): boolean {
  if (appType === undefined) return false;
  if ((qrAppTypes as readonly string[]).includes(appType.toLowerCase())) return true;
  const namesModel = product !== undefined && !deviceID?.toUpperCase().startsWith(`${product.toUpperCase()}_`);
  return !(funcType?.toLowerCase() === 'activate' && deviceID !== '0' && namesModel);
}

function contentOf(values: Values, form: QrForm): Parsed<QrContent> {
  const { deviceID = '0', product, appType, appId, funcType = 'activate', status } = values;
  const device = deviceID === '0' ? null : parseDeviceId(deviceID);
  if (device?.ok === false) return refuse('qr_bad_device', shown(deviceID));
  if (status !== undefined && !/^(0|-?[1-9]\d{0,2})$/.test(status))
    return refuse('qr_bad_value', `status "${shown(status)}"`);
  const deviceId = device?.value ?? null;
  if (deviceId === null && product === undefined) return refuse('qr_no_product');
  const productId = deviceId === null ? productNamed(form, product!) : productOf(deviceId);
  const isModel = product !== undefined && (form !== '1' || product.toUpperCase() !== productId);
  return ok({
    form,
    deviceId,
    productId,
    model: isModel ? product : null,
    appType: form === '1' ? appType! : null,
    appId: form === '1' ? appId! : null,
    funcType,
    status: status === undefined ? null : Number(status),
  });
}

function productNamed(form: QrForm, product: string): ProductId | null {
  const id = form === '1' ? parseProductId(product) : null;
  return id?.ok ? id.value : null;
}

/**
 * By name in small letters, still escaped; the first of a name counts, an empty one counts as
 * absent.
 */
function queryOf(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&')) {
    const [name, ...value] = pair.split('=');
    const key = name!.toLowerCase();
    if (value.join('=') !== '' && !query.has(key)) query.set(key, value.join('='));
  }
  return query;
}

const valuePattern = /^[\w.-]{1,64}$/;

/**
 * Each value that is there without escapes and of the characters that it may have; refused by its
 * name otherwise.
 */
function decoded(escaped: Partial<Values>): Parsed<Values> {
  const values: Partial<Record<keyof Values, string>> = {};
  for (const [name, text] of Object.entries(escaped) as [keyof Values, string | undefined][]) {
    if (text === undefined) continue;
    const value = unescaped(text);
    if (value === null || !valuePattern.test(value))
      return refuse(name === 'deviceID' ? 'qr_bad_device' : 'qr_bad_value', `${name} "${shown(value ?? text)}"`);
    values[name] = value;
  }
  return ok(values as Values);
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The text for a refusal: cut, and without control characters. */
const shown = (text: string): string =>
  [...text.slice(0, 60)].map(one => (/[\p{L}\p{N}\p{P}\p{S} ]/u.test(one) ? one : '\ufffd')).join('');
