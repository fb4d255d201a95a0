export { bundleBytesMax } from './bundles.ts';
export { type BundleReport, type LastUpdate, UpdateRefused, type UpdateReport } from './port.ts';
export { openUpdates, type Updates } from './updates.ts';
