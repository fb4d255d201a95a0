import type { Product } from '../store/index.ts';
import type { Session } from './session.ts';

/**
 * Whether `log/{model}/{sn}` is the log of this session's device (SPEC 4.1, 4.2). The product_id
 * stands for the model too, and ids are compared without case.
 */
export function isOwnLog(
  log: { readonly model: string; readonly sn: string },
  { device: { deviceId, productId } }: Session,
  product: Product | undefined,
): boolean {
  if (log.sn.toUpperCase() !== deviceId.slice(productId.length + 1)) return false;
  const model = log.model.toUpperCase();
  return model === productId || model === product?.model.toUpperCase();
}
