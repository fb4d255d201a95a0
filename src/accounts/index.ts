export { type Accounts, openAccounts } from './open.ts';
export { hashPassword, verifyPassword } from './passwords.ts';
