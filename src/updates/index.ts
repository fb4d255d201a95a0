export { allowAsRoot } from './allow-as-root.ts';
export { bundleBytesMax } from './bundles.ts';
export type { Updates } from './options.ts';
export { type BundleReport, type LastUpdate, UpdateRefused, type UpdateReport } from './port.ts';
export { openUpdates } from './updates.ts';
