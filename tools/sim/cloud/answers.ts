import type { ActionTable } from '../../../src/platform/actions.ts';
import type { DeviceId } from '../../../src/platform/device-id.ts';
import { type Envelope, encodeEnvelope } from '../../../src/platform/envelope.ts';
import type { Parsed } from '../../../src/platform/parsed.ts';
import {
  parseAccessReport,
  parseCheckinReport,
  parseFeatureReport,
  parsePersonSyncResult,
} from '../../../src/platform/reports.ts';
import type { UnixSeconds } from '../../../src/runtime/clock.ts';
import type { Identities } from './identities.ts';

/**
 * The answer of CONTRACT section 4 to an envelope, or null for an action that the cloud does not
 * know.
 */
export function answerTo(
  envelope: Envelope,
  deviceId: DeviceId,
  world: { actions: ActionTable; identities: Identities; now: UnixSeconds },
): Uint8Array | null {
  const data = answerData(envelope, deviceId, world);
  if (data === null) return null;
  const { mid, action, from } = envelope;
  return encodeEnvelope({ mid, from: 'system', to: from || deviceId, time: world.now, action, data });
}

function answerData(
  { action, mid, data }: Envelope,
  deviceId: DeviceId,
  { actions, identities, now }: { actions: ActionTable; identities: Identities; now: UnixSeconds },
): object | null {
  const fine = { code: 0, msg: 'ok' };
  const checked = (parsed: Parsed<unknown>) => (parsed.ok ? fine : { code: 400, msg: parsed.refusal.detail });
  switch (actions.nameOf(action)) {
    case 'activate':
      return { ...fine, access_key: identities.activate(deviceId, mid) };
    case 'time_sync':
      return { ...fine, time: now };
    case 'checkin_report':
      return checked(parseCheckinReport(data));
    case 'access_report':
      return checked(parseAccessReport(data));
    case 'feature_report':
      return checked(parseFeatureReport(data));
    case 'person_sync_result':
      return checked(parsePersonSyncResult(data));
    default:
      return null;
  }
}
