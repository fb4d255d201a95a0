export { type HttpCaller, httpCaller } from './http-client.ts';
export type { BoxIdentity } from './identities.ts';
export type { Line } from './line.ts';
export { openUpstream } from './open.ts';
export type { LineSummary } from './overall.ts';
export type { OutboxSummary, Upstream, UpstreamConfig, UpstreamOptions } from './port.ts';
export { leavingWithout } from './staying-features.ts';
export { type Trust, trustOf } from './trust.ts';
