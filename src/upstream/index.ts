export { type HttpCaller, httpCaller } from './http-client.ts';
export type { BoxIdentity } from './identities.ts';
export { openUpstream } from './open.ts';
export type { UplinkSummary } from './overall.ts';
export type { OutboxSummary, Upstream, UpstreamConfig, UpstreamOptions } from './port.ts';
export { leavingWithout } from './staying-features.ts';
export { type Trust, trustOf } from './trust.ts';
export type { Uplink } from './uplink.ts';
