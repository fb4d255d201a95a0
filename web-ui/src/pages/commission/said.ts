import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { language } from '../../words/index.ts';
import type { ListedDevice } from './list.ts';
import { RunFailed } from './run.ts';
import { commissionWords } from './words.ts';

type ByCode = Readonly<Record<string, string>>;

/** A step of a run: in English as the box reports it, in another language by its kind. */
export const stepWords = ({ step, message }: ProvisionEvent): string =>
  language.value === 'en' ? message : `${commissionWords.value.steps1[step]}${step === 'note' ? `：${message}` : ''}`;

export function failureWords(error: unknown): string {
  if (!(error instanceof RunFailed)) return (error as Error).message;
  const said = (commissionWords.value.failures as ByCode)[error.code];
  // Only the box knows in detail what does not fit.
  return language.value === 'en' || said === undefined ? error.message : said;
}

export function verifyWords({ genuine, key, mistake, message }: NonNullable<ListedDevice['verified']>): string {
  const said = commissionWords.value;
  if (genuine) return key === null ? said.genuine : said.verifiedBy[key];
  return mistake === null ? message : said.mistakes[mistake];
}

/** A result of SPEC 3.4 and 7.6 in words. */
export function resultWords({
  status,
  error,
  online,
}: {
  status: number | null;
  error: number | null;
  online: boolean;
}): string {
  const said = commissionWords.value;
  if (online) return said.isOnline;
  if (status === null) return said.silent;
  const what = (said.statuses as ByCode)[String(status)] ?? String(status);
  const why = error === null ? '' : ((said.errors as ByCode)[String(error)] ?? String(error));
  return [what, why].filter(Boolean).join(' ');
}
