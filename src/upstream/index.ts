export type { BoxIdentity } from './identities.ts';
export type { Line } from './line.ts';
export { type OutboxSummary, openUpstream, type Upstream, type UpstreamConfig, type UpstreamOptions } from './open.ts';
export type { LineSummary } from './overall.ts';
