import { broadcastName } from '../../platform/broadcast-name.ts';
import { type DeviceId, type ProductId, productOf } from '../../platform/device-id.ts';
import type { Naming } from '../../platform/naming.ts';
import { makeQrContent, type QrForm, type QrStatus } from '../../platform/qr-content.ts';

/** What a caller overrides in the box's config. The legacy forms carry only a status (SPEC 2.4). */
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
  readonly deviceId: DeviceId;
  readonly productId: ProductId;
  readonly model: string;
  readonly broadcastName: string;
  /** Null in the legacy forms, and so is `appId`. */
  readonly appType: string | null;
  readonly appId: string | null;
  readonly funcType: string;
  readonly status: QrStatus | null;
}

/** `model` is that of the device's product. */
export function deviceCode(
  naming: Naming,
  device: { readonly deviceId: DeviceId; readonly model: string },
  wish: CodeWish = {},
): DeviceCode {
  const { deviceId, model } = device;
  const { form = '1', appType = naming.appType, appId = naming.appId, funcType = 'activate', status = null } = wish;
  const productId = productOf(deviceId);
  const code = { deviceId, productId, model, status };
  const common = { ...code, form, broadcastName: broadcastName({ vendor: naming.vendor, deviceId }) };
  if (form === '1') {
    const content = makeQrContent(naming.qrBaseUrl, { ...code, form, appType, appId, funcType });
    return { ...common, content, appType, appId, funcType };
  }
  const content = makeQrContent(naming.qrBaseUrl, { ...code, form });
  return { ...common, content, appType: null, appId: null, funcType: 'activate' };
}
