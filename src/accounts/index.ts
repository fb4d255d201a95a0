export type { OwnPageAccess } from './employees/own-page-access.ts';
export { type Accounts, openAccounts } from './open.ts';
export { fullStrength, type HashStrength, hashPassword, verifyPassword } from './passwords.ts';
export type { Caller, ProgramCaller, StaffAccess } from './staff/access.ts';
export { passwordProblem, passwordRule } from './staff/password-rule.ts';
export { makeSetupCode } from './staff/setup-code.ts';
export { newToken, tokenHash } from './tokens.ts';
