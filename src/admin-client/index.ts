export { BoxEnded } from './box-ended.ts';
export type { AnswerOf } from './calls.ts';
export { type BoxClient, clientOver, connectAdmin } from './client.ts';
