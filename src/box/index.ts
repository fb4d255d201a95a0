export type { Box } from './box.ts';
export { Doctor } from './doctor.ts';
export { openBox } from './open.ts';
export type { Restart } from './restart.ts';
