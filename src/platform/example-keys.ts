/**
 * Keys that stand in the manuals and in the demo. They are known to everybody: environment
 * production refuses them (CONTRACT section 6), wherever a config or site file uses one.
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
