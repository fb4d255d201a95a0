import { CloudRefused } from '../../platform/cloud-refused.ts';
import { isBiometric } from '../../platform/reports.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { OrganizationStore } from '../../store/index.ts';
import type { CloudAttendance } from './cloud.ts';

interface PassOnOptions {
  readonly store: OrganizationStore;
  readonly cloud: CloudAttendance;
  readonly clock: Clock;
  readonly log: Log;
  /** Faces, fingerprints and PINs are not passed on. */
  readonly featuresStay: boolean;
}

/**
 * Sends the cloud what was written here, in order: the first write that the cloud does not answer
 * holds up the rest, the first that it refuses for good does not. Returns how many it took or
 * refused.
 */
export async function passOn({ store, cloud, clock, log, featuresStay }: PassOnOptions): Promise<number> {
  for (let count = 0; ; count++) {
    const write = await store.read.nextOrganizationWrite();
    if (!write) return count;
    try {
      if (featuresStay && isOfFeatures(write)) {
        await store.write.settleOrganizationWrite({ id: write.id, outcome: 'taken', at: clock.now() });
        continue;
      }
      const data = await cloud.call(write.path, write.command, write.body);
      const failed = (data as { error_ext_ids?: unknown } | null)?.error_ext_ids;
      if (Array.isArray(failed) && failed.length > 0)
        throw new CloudRefused(0, `the cloud could not store it for ${failed.join(', ')}`, { isFinal: true });
      await store.write.settleOrganizationWrite({ id: write.id, outcome: 'taken', at: clock.now() });
    } catch (error) {
      if (!(error instanceof CloudRefused && error.isFinal)) throw error;
      const outcome = { code: error.code, reason: error.message };
      log.warn(
        { subject: write.subject, error_code: error.code, reason: error.message },
        'organization_change_refused',
      );
      await store.write.settleOrganizationWrite({ id: write.id, outcome, at: clock.now() });
    }
  }
}

/** Queued before features stayed at the site: one person's, of one type. */
function isOfFeatures({ command, body }: { command: string; body: string }): boolean {
  if (command !== 'feature_update') return false;
  const { users } = JSON.parse(body) as { users?: { feature_type?: unknown }[] };
  return !users?.length || users.some(({ feature_type }) => isBiometric(feature_type));
}
