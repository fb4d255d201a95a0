import { isModelKnown } from '../platform/product-model.ts';
import type { Product } from '../store/index.ts';
import type { Session } from './session.ts';

/**
 * Whether `log/{model}/{sn}` names this session's device (SPEC 4.1, 4.2): ids are compared without
 * case.
 */
export const isOwnLog = (log: { readonly sn: string }, { device: { deviceId, productId } }: Session): boolean =>
  log.sn.toUpperCase() === deviceId.slice(productId.length + 1);

/**
 * Oddity of the model that a device writes into its log topic: neither that of its product nor the
 * product_id. Null if there is none, or if nobody gave the product a model. The log is stored under
 * it all the same.
 */
export function oddModel(
  { model }: { readonly model: string },
  { productId }: Session['device'],
  product: Product | undefined,
): string | null {
  const written = model.toUpperCase();
  if (written === productId || written === product?.model.toUpperCase()) return null;
  if (product && !isModelKnown({ productId, model: product.model })) return null;
  return `model ${model}; the product's is ${product?.model ?? productId}`;
}
