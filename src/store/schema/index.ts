export { boxBelow, device, product } from './devices.ts';
export * from './journal.ts';
export * from './people.ts';
export * from './records.ts';

/**
 * The tables of domains that are laid out by layer. Columns named `sealed_*` hold SealedBytes
 * (sealing.ts): no secret, feature or picture is in the file in clear. Times are milliseconds since
 * 1970 unless the name says seconds. `npm run migrations` after a change.
 */
