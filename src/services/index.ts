export { openServices, type Services } from './open.ts';
