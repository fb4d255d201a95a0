import type { HashStrength } from '../../src/accounts/index.ts';

/** Passwords of tests are hashed in microseconds; `box/password-strength` has the program's strength. */
export const lightHash: HashStrength = { memory: 64, passes: 1, parallelism: 1 };
