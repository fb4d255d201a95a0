import { channelFailures } from './channels.ts';
import { deviceDetails, deviceEnds } from './device-ends.ts';
import { joinOutcomes, radioFaults } from './own-network.ts';
import { recordReasons, unreadableWords } from './records.ts';
import { refusals } from './refusals.ts';
import { inChinese, type Why, type WithWhy } from './sentences.ts';
import { auditFaults, databaseWarnings, storeFaults } from './store.ts';
import { mirrorReasons, networkReasons, uplinkReasons } from './uplink.ts';
import { webhookFailures } from './webhooks.ts';

/** All that a state, an alert or a record may give as its reason. Most pages load them. */
export const reasonTables = [
  ...[uplinkReasons, mirrorReasons, networkReasons, storeFaults, databaseWarnings, auditFaults],
  ...[unreadableWords, recordReasons, channelFailures, deviceEnds, deviceDetails, joinOutcomes, radioFaults],
  ...[refusals, webhookFailures],
] as const;

/** The reason of a state, an alert or a record in Chinese; what has no code stays as it is. */
export const whyInChinese = ({ why, code, params }: Why): string =>
  inChinese({ reason: why, code, params }, ...reasonTables);

/** The same of the reason in the values of a sentence. */
export const innerWhyInChinese = ({ why, why_code, ...params }: WithWhy): string =>
  whyInChinese({ why, code: why_code, params });
