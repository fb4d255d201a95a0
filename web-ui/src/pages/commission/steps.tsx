import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { stepWords } from './said.ts';

/** What a run says while it goes on. */
export const Steps = ({ events }: { events: readonly ProvisionEvent[] }) => (
  <ol class="steps" aria-live="polite">
    {events.map((event, index) => (
      <li key={index}>{stepWords(event)}</li>
    ))}
  </ol>
);
