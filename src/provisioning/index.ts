export { openProvisioning, type Provisioning, type ProvisioningOptions, type SetupReport } from './open.ts';
export type { PlatformAbove } from './reach.ts';
