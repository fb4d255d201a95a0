export { connectAdmin } from './client.ts';
