export type { Facts, NamedDevice } from './facts.ts';
export { type Judged, type Judgement, judge } from './judge.ts';
export { type Standing, type Stands, standing, togetherMin, togetherMs } from './standing.ts';
