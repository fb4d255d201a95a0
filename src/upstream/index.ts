export { BackupsAbove } from './backups-above.ts';
export { httpCaller } from './http-client.ts';
export type {} from './identities.ts';
export { openUpstream } from './open.ts';
export type {} from './overall.ts';
export type { Upstream, UpstreamConfig } from './port.ts';
export { leavingWithout } from './staying-features.ts';
export { type Trust, trustOf } from './trust.ts';
export type { Uplink } from './uplink.ts';
