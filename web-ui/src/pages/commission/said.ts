import { radioFaults } from '../../../../src/words/own-network.ts';
import { type GivenReason, SaidError } from '../../../../src/words/sentences.ts';
import { signatureFindings, siteDeviceOutcomes, siteDeviceSteps } from '../../../../src/words/site-device-steps.ts';
import { siteDeviceFailures } from '../../../../src/words/site-devices.ts';
import { reasonIn, sentenceIn } from '../../parts/reasons.ts';

interface Message extends Omit<GivenReason, 'reason'> {
  readonly message: string;
}

const reasonOf = ({ message: reason, code, params }: Message): GivenReason => ({ reason, code, params });

export const stepWords = (event: Message): string =>
  reasonIn(reasonOf(event), siteDeviceSteps, siteDeviceOutcomes, signatureFindings);

export const failureWords = (error: unknown): string =>
  error instanceof SaidError ? reasonIn(error.said, siteDeviceFailures, radioFaults) : (error as Error).message;

export const verifyWords = (verified: Message): string => sentenceIn(reasonOf(verified), signatureFindings);

export const resultWords = (wifi: Message): string => sentenceIn(reasonOf(wifi), siteDeviceOutcomes);
