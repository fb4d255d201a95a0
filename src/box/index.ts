export { BoxError } from '../listeners/index.ts';
export { Doctor } from './doctor.ts';
export { type Addresses, type Box, openBox, type World } from './open.ts';
export type { Restart } from './updates.ts';
