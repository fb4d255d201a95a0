export { BoxEnded } from './box-ended.ts';
export { connectAdmin } from './client.ts';
