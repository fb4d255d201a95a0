import type {
  FoundDevice,
  InfoOutcome,
  ProvisionEvent,
  VerifyOutcome,
  WifiOutcome,
} from '../../../../src/provisioning/site-devices/events.ts';
import type { SiteDeviceFailureCode } from '../../../../src/provisioning/site-devices/failure.ts';
import { Problem } from '../../api.ts';
import { words } from '../../words/index.ts';

interface Outcomes {
  readonly scan: { readonly devices: readonly FoundDevice[] };
  readonly info: InfoOutcome;
  readonly verify: VerifyOutcome;
  readonly wifi: WifiOutcome;
}
type Line<Run extends keyof Outcomes> =
  | { readonly event: ProvisionEvent }
  | { readonly outcome: Outcomes[Run] }
  | { readonly failure: { readonly code: SiteDeviceFailureCode; readonly message: string } };

/** An expected end of a run; `code` is translated by the page. */
export class RunFailed extends Error {
  readonly code: SiteDeviceFailureCode;
  constructor(code: SiteDeviceFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Starts a run at the box and reports its steps as they arrive. Throws `RunFailed` or `Problem`;
 * aborting `signal` ends the run at the box.
 */
export async function run<Run extends keyof Outcomes>(
  name: Run,
  asks: object,
  onEvent: (event: ProvisionEvent) => void,
  signal: AbortSignal,
): Promise<Outcomes[Run]> {
  const answer = await fetch(`/admin/v1/provision/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asks),
    signal,
  });
  if (!answer.ok || !answer.body) {
    const problem = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string };
    throw new Problem(answer.status, problem.title ?? '', problem.detail ?? answer.statusText);
  }
  for await (const text of linesOf(answer.body)) {
    const line = JSON.parse(text) as Line<Run>;
    if ('event' in line) onEvent(line.event);
    else if ('outcome' in line) return line.outcome;
    else throw new RunFailed(line.failure.code, line.failure.message);
  }
  throw new Problem(0, 'network', words.peek().problem.unanswered);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let held = '';
  for (;;) {
    const { done, value } = await reader.read();
    held += done ? '' : decoder.decode(value, { stream: true });
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
    if (done) return;
  }
}
