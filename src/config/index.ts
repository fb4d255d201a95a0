export { type Address, formatAddress, parseAddress } from './address.ts';
export { type Complaint, complaintText, didYouMean, FileRefused } from './complaint.ts';
export { type EffectiveKey, effectiveKeys } from './effective.ts';
export { type ConfigKey, configKeys } from './keys.ts';
export { type ConfigSources, type LoadedConfig, loadConfig } from './load.ts';
export type { Config } from './schema.ts';
export { type ReadSite, readSiteFile, siteIssue, writeSite } from './site-file.ts';
export { type SiteProblem, siteProblems } from './site-rules.ts';
export { type SiteFile, siteSchema } from './site-schema.ts';
