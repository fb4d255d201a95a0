import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { stepWords } from './said.ts';

/** The steps of a run, as they come. */
export const Steps = ({ events }: { events: readonly ProvisionEvent[] }) => (
  <ol class="steps" aria-live="polite">
    {events.map((event, index) => (
      <li key={index}>{stepWords(event)}</li>
    ))}
  </ol>
);
