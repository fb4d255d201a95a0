export { type Alerts, muteMsMax } from './alerts.ts';
export { sendOnce } from './channel-queue.ts';
export type { Post } from './channels/channel.ts';
export { alertChannelsBy } from './channels/open.ts';
export { webhookSignature } from './channels/signatures.ts';
export { openAlerts } from './leased.ts';
export { type AlertSettings, inForce, rulesOf } from './settings.ts';
