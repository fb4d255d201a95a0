import type { ProvisionLine } from '../../../../src/admin/provision.ts';
import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { SaidError } from '../../../../src/words/sentences.ts';
import { Problem } from '../../api.ts';
import { words } from '../../words/index.ts';

/** Reports the steps of a run as they arrive. Throws `SaidError` where the run failed, or `Problem`. */
export async function outcomeOf<Outcome>(
  run: AsyncIterable<ProvisionLine<Outcome>>,
  onEvent: (event: ProvisionEvent) => void,
): Promise<Outcome> {
  for await (const line of run) {
    if ('event' in line) onEvent(line.event);
    else if ('outcome' in line) return line.outcome;
    else {
      const { message, message_code, params } = line.failure;
      throw new SaidError({ reason: message, code: message_code, params });
    }
  }
  throw new Problem(0, 'network', words.peek().problem.unanswered);
}
