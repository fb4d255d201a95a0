import type { ProvisionLine } from '../../../../src/admin/provision.ts';
import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import type { SiteDeviceFailureCode } from '../../../../src/provisioning/site-devices/failure.ts';
import { Problem } from '../../api.ts';
import { words } from '../../words/index.ts';

/** An expected end of a run; `code` is translated by the page. */
export class RunFailed extends Error {
  readonly code: SiteDeviceFailureCode;
  constructor(code: SiteDeviceFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reports the steps of a run as they arrive. Throws `RunFailed` or `Problem`. */
export async function outcomeOf<Outcome>(
  run: AsyncIterable<ProvisionLine<Outcome>>,
  onEvent: (event: ProvisionEvent) => void,
): Promise<Outcome> {
  for await (const line of run) {
    if ('event' in line) onEvent(line.event);
    else if ('outcome' in line) return line.outcome;
    else throw new RunFailed(line.failure.code as SiteDeviceFailureCode, line.failure.message);
  }
  throw new Problem(0, 'network', words.peek().problem.unanswered);
}
