/**
 * Keys from the manuals and the demo. Everybody knows them, so environment production refuses them
 * (CONTRACT section 6) in config and site files.
 */
export const demoProductKey = 'demo-product-key';

export const exampleKeys: ReadonlySet<string> = new Set([
  demoProductKey,
  's3cret',
  's3cret-of-the-product',
  'change-me-please',
  'k1',
  'ak1',
  'as1',
  'cs1',
  'secret123',
  'only-after-activation',
]);
