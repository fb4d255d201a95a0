import { broadcastName, broadcastNameOfModel } from '../../platform/broadcast-name.ts';
import { type DeviceId, type ProductId, productOf } from '../../platform/device-id.ts';
import type { Naming } from '../../platform/naming.ts';
import { makeQrContent, type QrForm, type QrStatus } from '../../platform/qr-content.ts';

/** Values that override the box's config. The legacy forms carry only a status (SPEC 2.4). */
export interface CodeWish {
  readonly form?: QrForm;
  readonly appType?: string;
  readonly appId?: string;
  /** `activate` when absent. */
  readonly funcType?: string;
  readonly status?: QrStatus;
}

/** The code of a device and its content. */
export interface DeviceCode {
  readonly content: string;
  readonly form: QrForm;
  /** Device id; null if the device cannot show it, so that its code has 0 (SPEC 2.4). */
  readonly deviceId: DeviceId | null;
  readonly productId: ProductId;
  readonly model: string;
  readonly broadcastName: string;
  /** Null in the legacy forms, and so is `appId`. */
  readonly appType: string | null;
  readonly appId: string | null;
  readonly funcType: string;
  readonly status: QrStatus | null;
}

/**
 * `model` is that of the device's product. A product in place of a device: the code of all its
 * devices that cannot show their ids, in form 1, the only one that has a place for it.
 */
export function deviceCode(
  naming: Naming,
  device: { readonly deviceId: DeviceId; readonly model: string },
  wish?: CodeWish,
): DeviceCode;
export function deviceCode(
  naming: Naming,
  product: { readonly deviceId: null; readonly productId: ProductId; readonly model: string },
  wish?: Omit<CodeWish, 'form'>,
): DeviceCode;
export function deviceCode(
  naming: Naming,
  named: { readonly deviceId: DeviceId | null; readonly productId?: ProductId; readonly model: string },
  wish: CodeWish = {},
): DeviceCode {
  const { deviceId, model } = named;
  const { form = '1', appType = naming.appType, appId = naming.appId, funcType = 'activate', status = null } = wish;
  const { vendor, qrBaseUrl } = naming;
  if (deviceId === null || form === '1') {
    const productId = deviceId === null ? named.productId! : productOf(deviceId);
    const name = deviceId === null ? broadcastNameOfModel({ vendor, model }) : broadcastName({ vendor, deviceId });
    const code = { form: '1', deviceId, productId, status, appType, appId, funcType } as const;
    return { ...code, model, broadcastName: name, content: makeQrContent(qrBaseUrl, code) };
  }
  const code = { form, deviceId, model, status };
  const common = { ...code, productId: productOf(deviceId), broadcastName: broadcastName({ vendor, deviceId }) };
  return { ...common, content: makeQrContent(qrBaseUrl, code), appType: null, appId: null, funcType: 'activate' };
}
