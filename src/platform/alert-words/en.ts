import type { AlertChannel } from '../alerts.ts';
import { nameOf, number, plural, type Said, type SpanUnits, spanIn, text } from './said.ts';

const units: SpanUnits = {
  days: days => `${days} d`,
  hours: hours => `${hours} h`,
  minutes: minutes => `${minutes} min`,
  seconds: seconds => `${seconds} s`,
};

/** `2026-10` as `October 2026`. */
const monthIn = (month: string): string =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Neither full nor well. */
const isFailing = (state: string): boolean => state === 'broken' || state === 'read_only';

export const en: Said = {
  kinds: {
    disk: {
      name: 'Disk',
      title: details =>
        text(details, 'state') === 'ok'
          ? details.inodes === undefined
            ? `Disk ${number(details, 'percent')} % full`
            : `Disk has room for ${number(details, 'inodes')} more file${plural(number(details, 'inodes'))}`
          : text(details, 'state') === 'unreadable'
            ? 'Parts of the disk are unreadable'
            : text(details, 'state') === 'unwritable'
              ? 'Parts of the disk cannot be written'
              : isFailing(text(details, 'state'))
                ? 'Disk failing: new records are rejected'
                : 'Disk full: new records are rejected',
      many: () => 'Disk needs attention',
      means: details =>
        text(details, 'state') === 'unreadable'
          ? `The gateway keeps working. At most ${number(details, 'records')} acknowledged record${plural(number(details, 'records'))} cannot be read.`
          : text(details, 'state') === 'unwritable'
            ? 'Acknowledged records stay in the log of the database, which grows until the disk is full.'
            : text(details, 'state') !== 'ok'
              ? 'Devices keep their check-ins and send them again later.'
              : details.inodes !== undefined
                ? 'The disk runs out of inodes. Uploads, backups, updates and certificates then fail; check-ins are kept.'
                : details.days === undefined
                  ? 'When it is full, uploaded records are deleted first, then old logs, never attendance.'
                  : `Full in ${number(details, 'days')} day${plural(number(details, 'days'))}. Uploaded records are then deleted first, never attendance.`,
      todo: details =>
        text(details, 'state') === 'unreadable'
          ? 'Create a backup now, replace the card and restore the backup. gatehouse status lists the missing records.'
          : text(details, 'state') === 'unwritable'
            ? 'Create a backup now, replace the card and restore the backup.'
            : isFailing(text(details, 'state'))
              ? 'Restart the machine once to repair the file system. If that does not help, replace the card and restore a backup.'
              : details.inodes !== undefined
                ? 'Find folders with many files with `du --inodes` and delete them, or install a larger disk.'
                : 'Free up space on the page System, or install a larger disk.',
    },
    wear: {
      name: 'Card wear',
      title: details => `Card lasts ${number(details, 'days')} days at the current rate`,
      many: () => 'Card wears out',
      means: () => 'A worn-out card fails without warning. Uploaded records and backups are safe.',
      todo: () => 'Install a "high endurance" card or an SSD, and find the device that sends most.',
    },
    line: {
      name: 'Cloud connection',
      title: details => (number(details, 'refused') === 1 ? 'Gateway rejected by the cloud' : 'Cloud offline'),
      many: () => 'Cloud offline',
      means: details =>
        details.days === undefined
          ? `Check-ins are kept on the gateway and uploaded when the cloud is back. Queued: ${number(details, 'waiting')}.`
          : `Check-ins are safe on the gateway for ${number(details, 'days')} day${plural(number(details, 'days'))} and uploaded when the cloud is back. Queued: ${number(details, 'waiting')}.`,
      todo: details =>
        `Check the router and the internet provider, then run the network test (System). Reason: ${text(details, 'why') || 'unknown'}.`,
    },
    backlog: {
      name: 'Upload queue',
      title: details => `Records queued for ${number(details, 'minutes')} minutes`,
      many: () => 'Records queued',
      means: details =>
        `The cloud is connected, but ${number(details, 'waiting')} records are not confirmed. They are kept.`,
      todo: () => 'Check on the page Sync which devices have queued records, and whether the cloud responds.',
    },
    silent: {
      name: 'Device offline',
      title: (details, subject) => `${nameOf(details, subject)} is offline`,
      many: (count, details) =>
        details?.all === 1
          ? `All ${count} devices are offline: check the switch, the network or the power`
          : `${count} devices are offline`,
      means: () => 'Its check-ins are missing until it is back. Most devices keep them and send them then.',
      todo: () => 'Check power and network cable. The device page shows when it was last seen and why it was rejected.',
    },
    logins: {
      name: 'Rejected logins',
      title: details => `${number(details, 'count')} logins rejected in 10 minutes`,
      many: () => 'Many logins rejected',
      means: () => 'A device has a wrong key, or somebody is guessing keys.',
      todo: () => 'The page Devices lists the rejected devices and the reasons.',
    },
    backup: {
      name: 'Backup',
      title: details =>
        number(details, 'never') === 1 ? 'Not backed up' : `Last backup ${number(details, 'days')} days old`,
      many: () => 'Backup too old',
      means: () => 'If the disk fails, people, devices and keys have to be entered again.',
      todo: () => 'Create a backup under System, Backup, and keep it away from the gateway.',
    },
    box_clock: {
      name: 'Gateway clock',
      title: () => 'Gateway clock not synchronized',
      many: () => 'Gateway clock not synchronized',
      means: () => 'The clock drifts: records get wrong times, and signatures are rejected.',
      todo: () => 'Allow the gateway to reach a time server (NTP, UDP port 123), or set one of the site.',
    },
    device_clock: {
      name: 'Device clock',
      title: (details, subject) => {
        const seconds = number(details, 'seconds');
        return `Clock of ${nameOf(details, subject)} ${spanIn(units, Math.abs(seconds) * 1000)} ${seconds < 0 ? 'slow' : 'fast'}`;
      },
      many: count => `Clocks of ${count} devices wrong`,
      means: () => 'Check-ins have wrong times and are marked in reports.',
      todo: () => 'Set the device to get its time from the gateway, or set it by hand.',
    },
    unreadable: {
      name: 'Unreadable messages',
      title: (details, subject) =>
        `Unreadable messages from ${nameOf(details, subject)}: ${text(details, 'why')} (${number(details, 'count')} so far)`,
      many: count => `Unreadable messages from ${count} devices`,
      means: () =>
        'They may contain check-ins. The messages are kept and uploaded unchanged (unless features stay at the site), but are in no list of check-ins here.',
      todo: () =>
        'The device page shows the first bytes. Ask the vendor for UTF-8 JSON (SPEC 2.5); names in GBK are the usual cause.',
    },
    used_twice: {
      name: 'Duplicate device ID',
      title: (details, subject) =>
        `Two devices use the ID of ${nameOf(details, subject)}, from ${text(details, 'addresses')}`,
      many: count => `${count} device IDs used by two devices each`,
      means: () => 'Each login ends the connection of the other: records arrive late and mixed.',
      todo: () =>
        'Turn one of them off and give it its own ID: a cloned memory has the serial number of the other. With a single device, its firmware opens a second connection before it closes the first: contact the vendor.',
    },
    certificate: {
      name: 'Certificate',
      title: details =>
        number(details, 'days') < 0
          ? 'Gateway certificate expired'
          : `Gateway certificate expires in ${number(details, 'days')} days`,
      many: () => 'Gateway certificate expires',
      means: () => 'Devices and browsers reject an expired certificate.',
      todo: () => 'Replace the certificate that `tls` in the config names, and restart the gateway.',
    },
    update: {
      name: 'Update',
      title: () => 'Update available',
      many: () => 'Update available',
      means: details => `${text(details, 'file')} is not installed yet.`,
      todo: () => 'Install it under System, Update, outside rush hours.',
    },
    refused_records: {
      name: 'Rejected records',
      title: details => `${number(details, 'count')} record${plural(number(details, 'count'))} rejected by the cloud`,
      many: () => 'Records rejected by the cloud',
      means: () => 'Rejected records stay on the gateway and are missing in the cloud. Other records are uploaded.',
      todo: () => 'The page Sync shows the reason. Fix the cause, then resend.',
    },
    missing_at_cloud: {
      name: 'People missing in the cloud',
      title: details =>
        text(details, 'incomplete') === ''
          ? `${number(details, 'missing')} ${number(details, 'missing') === 1 ? 'person or department' : 'people or departments'} missing in the cloud`
          : 'Cloud list incomplete',
      many: () => 'Cloud lists changed a lot, or incomplete',
      means: details => {
        const [missing, held] = [number(details, 'missing'), number(details, 'held')];
        const incomplete = text(details, 'incomplete');
        return [
          ...(incomplete === '' ? [] : [`${incomplete}.`]),
          ...(missing === 0 ? [] : ['All their data is kept here and on terminals.']),
          ...(missing - held > 0
            ? [`${missing - held} will be deleted after 24 hours of complete lists without them.`]
            : []),
          ...(held > 0 ? [`${held} disappeared at once, probably by mistake: only staff can delete them.`] : []),
        ].join(' ');
      },
      todo: () =>
        'Check whether they are still in the organization in the cloud. If they left, no action is needed, or delete them now on the page Sync. Otherwise contact the cloud operator.',
    },
    rejected: {
      name: 'Rejected devices',
      title: details => `${number(details, 'count')} device${plural(number(details, 'count'))} rejected`,
      many: count => `${count} devices rejected`,
      means: () => 'Records of a rejected device do not reach this gateway.',
      todo: () => 'The page Devices shows the reason and the remedy.',
    },
    approval: {
      name: 'Approval of personal data',
      title: (details, subject) => `${nameOf(details, subject)} is waiting for approval to receive personal data`,
      many: count => `${count} devices are waiting for approval to receive personal data`,
      means: () => 'Until then they receive no names, faces or fingerprints.',
      todo: () => 'Compare the serial number, then approve on the page Devices.',
    },
    never: {
      name: 'Never connected',
      title: (details, subject) => `${nameOf(details, subject)} has never connected`,
      many: count => `${count} devices have never connected`,
      means: () => 'Registered, but no record received.',
      todo: () => 'Connect it, or remove it from the list.',
    },
    no_device: {
      name: 'No device yet',
      title: () => 'No device is set up yet',
      many: () => 'No device is set up yet',
      means: () => 'Nobody can check in at this site yet.',
      todo: () => 'Set up the first device.',
    },
    zone: {
      name: 'Site time zone',
      title: details => `Time zone not confirmed: ${text(details, 'zone')}`,
      many: () => 'Time zone not confirmed',
      means: () => 'Days, lateness and payroll follow this zone.',
      todo: () => 'Check the name and time zone of the site in Settings, then save.',
    },
    recovery_key: {
      name: 'Recovery key',
      title: details => (text(details, 'state') === 'none' ? 'No recovery key' : 'Recovery key not confirmed'),
      many: () => 'Recovery key not confirmed',
      means: details =>
        text(details, 'state') === 'none'
          ? 'Backups are encrypted with it. No backup without a key.'
          : 'Only this key opens the backups. Its storage is not confirmed.',
      todo: details =>
        text(details, 'state') === 'none'
          ? 'Create the key, print or download it, and confirm that it is stored.'
          : 'Confirm that it is stored, or replace it.',
    },
    no_backup: {
      name: 'No backup yet',
      title: () => 'Not backed up',
      many: () => 'Not backed up',
      means: () => 'If the disk fails, people, devices and keys have to be entered again.',
      todo: () => 'Create a backup or schedule backups under System, Backup.',
    },
    month: {
      name: 'Month to close',
      title: details => `${monthIn(text(details, 'month'))} is ready to close`,
      many: () => 'A month is ready to close',
      means: () => 'Corrections and late check-ins still change its figures.',
      todo: () => 'Review it, then close it.',
    },
    rebooted: {
      name: 'Restarted',
      title: () => 'Gateway restarted',
      many: () => 'Gateway restarted',
      means: () => 'No acknowledged record is lost. If the restart was not planned, the power failed.',
      todo: () => 'No action if planned. Otherwise check the power supply.',
    },
    daily_report: {
      name: 'Daily report not delivered',
      title: (_, subject) => `Daily attendance report "${subject}" not delivered`,
      many: count => `${count} daily attendance reports not delivered`,
      means: details => `${text(details, 'why')}. It is not sent again; the next one goes out at its time.`,
      todo: () => 'Correct its channel or recipients, and send a test from its preview.',
    },
    channel: {
      name: 'Alert delivery',
      title: (_, subject) => `Alerts by ${en.channels[subject as AlertChannel] ?? subject} not delivered`,
      many: count => `${count} alert channels failing`,
      means: details => `${text(details, 'why')}. Alerts are sent by the other channels.`,
      todo: () => 'Edit the channel under System, Alerts, and send a test.',
    },
  },
  severities: { note: 'Note', warn: 'Warning', critical: 'Critical' },
  channels: {
    ...{ mail: 'mail', webhook: 'webhook', dingtalk: 'DingTalk', feishu: 'Feishu', wecom: 'WeCom' },
    ...{ push: 'app push', sms: 'SMS' },
  },
  over: title => `Resolved: ${title}`,
  lasted: (lasted, from, to) => `Duration ${lasted}, from ${from} to ${to}.`,
  since: moment => `Since ${moment}.`,
  more: count => `and ${count} more`,
  atOnce: 'All went offline at the same time. Check the switch and the power first.',
  digest: (count, open) => `Quiet hours: ${count} alert${plural(count)}, ${open} still open`,
  digestOver: (title, lasted) => `${title}: resolved after ${lasted}`,
  asOf: moment => `Written ${moment}.`,
  test: site => `Test message of ${site}`,
  testLine: 'This channel works.',
  units,
};
