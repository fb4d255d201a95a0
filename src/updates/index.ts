export { bundleBytesMax } from './bundles.ts';
export {
  type BundleReport,
  type LastUpdate,
  type UpdateKind,
  type UpdateProgress,
  UpdateRefused,
  type UpdateReport,
} from './port.ts';
export { openUpdates, type Updates } from './updates.ts';
