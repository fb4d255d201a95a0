/**
 * The site of most system tests: one product, admitted at both gateways, whose devices need no
 * entry of their own.
 */
export const productKey = 's3cret-of-the-product';

export const aSite = (more: Record<string, unknown> = {}) => ({
  products: [{ product_id: 'FACE-T1', product_key: productKey, name: 'Face terminal', model: 'FT1', access: 'both' }],
  ...more,
});

export const deviceIds = (count: number, product = 'FACE-T1') =>
  Array.from({ length: count }, (_, index) => `${product}_A${String(index + 1).padStart(4, '0')}`);
