import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { radioFaults } from '../../../../src/words/own-network.ts';
import { SaidError } from '../../../../src/words/sentences.ts';
import { setupResults } from '../../../../src/words/setup-results.ts';
import { siteDeviceNotes } from '../../../../src/words/site-device-notes.ts';
import { siteDeviceFailures } from '../../../../src/words/site-devices.ts';
import { reasonIn, sentenceIn } from '../../parts/reasons.ts';
import { language } from '../../words/index.ts';
import type { ListedDevice } from './list.ts';
import { commissionWords } from './words.ts';

/** A step of a run: in English as the box reports it, in another language by its kind. */
export function stepWords({ step, message, code, params }: ProvisionEvent): string {
  if (language.value === 'en') return message;
  const name = commissionWords.value.steps1[step];
  return step === 'note' ? `${name}：${reasonIn({ reason: message, code, params }, siteDeviceNotes)}` : name;
}

export const failureWords = (error: unknown): string =>
  error instanceof SaidError ? reasonIn(error.said, siteDeviceFailures, radioFaults) : (error as Error).message;

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
  return sentenceIn(setupResults.say('setup_result', { status, error: error ?? '' }), setupResults);
}
