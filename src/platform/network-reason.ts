import { getSystemErrorName } from 'node:util';
import { type GivenReason, SaidError } from '../words/sentences.ts';
import { networkReasons } from '../words/uplink.ts';

/** An error of a connection; libraries change `code`, and leave the number of the system. */
type NetworkError = Error & {
  readonly errno?: number;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
};

/**
 * Why a connection failed. Of several addresses that were tried, the first says it; an error that
 * is none of the network stays as it is.
 */
export function networkReason(error: Error): GivenReason {
  const [first] = error instanceof AggregateError ? error.errors : [];
  if (first instanceof Error) return networkReason(first);
  if (error instanceof SaidError) return error.said;
  const { errno, address = '', port, hostname = '' } = error as NetworkError;
  const at = port === undefined ? address : `${address}:${port}`;
  switch (errno === undefined || errno >= 0 ? '' : getSystemErrorName(errno)) {
    case 'ECONNREFUSED':
      return networkReasons.say('connection_refused', { at });
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NONAME':
      return networkReasons.say('name_not_resolved', { host: hostname });
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return networkReasons.say('not_reached', { at });
    case 'ETIMEDOUT':
      return networkReasons.say('no_answer', { at });
    default:
      return { reason: error.message };
  }
}
