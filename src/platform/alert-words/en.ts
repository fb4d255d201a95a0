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
            ? `The disk is ${number(details, 'percent')} % full`
            : `The disk can hold only ${number(details, 'inodes')} more file${plural(number(details, 'inodes'))}`
          : text(details, 'state') === 'unreadable'
            ? 'The disk cannot be read in places'
            : text(details, 'state') === 'unwritable'
              ? 'The disk cannot be written in places'
              : isFailing(text(details, 'state'))
                ? 'The disk fails: new records are rejected'
                : 'The disk is full: new records are rejected',
      many: () => 'The disk needs attention',
      means: details =>
        text(details, 'state') === 'unreadable'
          ? `The box goes on without what cannot be read: at most ${number(details, 'records')} record${plural(number(details, 'records'))} that it had acknowledged.`
          : text(details, 'state') === 'unwritable'
            ? 'What is acknowledged is kept in the log of the database, which grows until the disk is full.'
            : text(details, 'state') !== 'ok'
              ? 'Nothing is acknowledged: devices keep their punches and send them again.'
              : details.inodes !== undefined
                ? 'Its inodes are used up, whatever is free in bytes. Without any, uploads, backups, updates and certificates fail; punches are kept.'
                : details.days === undefined
                  ? 'When it is full, what the cloud has already is deleted first, then old logs, never attendance.'
                  : `Something has to be deleted in ${number(details, 'days')} day${plural(number(details, 'days'))}: what the cloud has already first, never attendance.`,
      todo: details =>
        text(details, 'state') === 'unreadable'
          ? 'Make a backup now, put in a new card and restore the backup there. gatehouse status says what is missing.'
          : text(details, 'state') === 'unwritable'
            ? 'Make a backup now, put in a new card and restore the backup there.'
            : isFailing(text(details, 'state'))
              ? 'Start the machine again once: that repairs the file system. If it stays so, put in a new card and restore a backup.'
              : details.inodes !== undefined
                ? 'Find out with `du --inodes` where many files lie and remove them, or put in a larger disk.'
                : 'Free up space on the page System, or put in a larger disk.',
    },
    wear: {
      name: 'Card wear',
      title: details => `At this rate a card lasts ${number(details, 'days')} days`,
      many: () => 'The card wears out',
      means: () => 'A card that is worn out fails without warning. What the cloud or a backup has is safe.',
      todo: () => 'Put in a "high endurance" card or an SSD, and find out which device sends so much.',
    },
    line: {
      name: 'Line to the cloud',
      title: details => (number(details, 'refused') === 1 ? 'The cloud rejects this box' : 'The cloud is offline'),
      many: () => 'The cloud is offline',
      means: details =>
        details.days === undefined
          ? `Punches are kept on the disk of the box and sent when the line is back; ${number(details, 'waiting')} wait.`
          : `Punches are safe on the box for ${number(details, 'days')} day${plural(number(details, 'days'))} and are sent when the line is back; ${number(details, 'waiting')} wait.`,
      todo: details =>
        `Look at the router and the provider, then run the network test (System). The box says: ${text(details, 'why') || 'nothing'}.`,
    },
    backlog: {
      name: 'Records wait',
      title: details => `Records have waited for the cloud for ${number(details, 'minutes')} minutes`,
      many: () => 'Records wait for the cloud',
      means: details => `The line is up, but ${number(details, 'waiting')} records are not confirmed. They are kept.`,
      todo: () => 'See on the page Sync whose records wait, and whether the cloud answers.',
    },
    silent: {
      name: 'Device offline',
      title: (details, subject) => `${nameOf(details, subject)} is offline`,
      many: (count, details) =>
        details?.all === 1
          ? `All ${count} devices are offline: check the switch, the network or the power`
          : `${count} devices are offline`,
      means: () =>
        'Who punches there is not seen before it is back. Most devices keep their punches and send them then.',
      todo: () =>
        'Check power and network cable. The page of the device says when it was last heard and why it was rejected.',
    },
    logins: {
      name: 'Refused logins',
      title: details => `${number(details, 'count')} logins were refused in ten minutes`,
      many: () => 'Many logins are refused',
      means: () => 'A device has a wrong key and sends nothing, or somebody tries keys.',
      todo: () => 'The page Devices says who was refused, and why.',
    },
    backup: {
      name: 'Backup',
      title: details =>
        number(details, 'never') === 1
          ? 'The box has no backup'
          : `The last backup is ${number(details, 'days')} days old`,
      many: () => 'The backup is old',
      means: () => 'If the disk fails, people, devices and keys have to be entered again.',
      todo: () => 'Make a backup on the page System, Backup, and keep it away from the box.',
    },
    box_clock: {
      name: 'Clock of the box',
      title: () => 'Nothing sets the clock of the box',
      many: () => 'Nothing sets the clock of the box',
      means: () => 'The clock drifts: times of receipt become wrong, and signatures are refused.',
      todo: () => 'Let the box reach a time server (NTP, UDP port 123), or name one of the site.',
    },
    device_clock: {
      name: 'Clock of a device',
      title: (details, subject) => {
        const seconds = number(details, 'seconds');
        return `The clock of ${nameOf(details, subject)} is ${spanIn(units, Math.abs(seconds) * 1000)} ${seconds < 0 ? 'slow' : 'fast'}`;
      },
      many: count => `The clocks of ${count} devices are wrong`,
      means: () => 'Its punches have wrong times. They are marked in reports.',
      todo: () => 'Let the device ask the box for the time, or set it by hand.',
    },
    unreadable: {
      name: 'Unreadable messages',
      title: (details, subject) =>
        `${nameOf(details, subject)} sends what nobody can read: ${text(details, 'why')} (${number(details, 'count')} so far)`,
      many: count => `${count} devices send what nobody can read`,
      means: () =>
        'Its punches may be in them. They are kept, and go to the cloud as they are unless features stay at the site; the box has them in no list of check-ins.',
      todo: () =>
        'Its page shows the first bytes. Ask its maker for UTF-8 JSON (SPEC 2.5); names in GBK are the usual cause.',
    },
    used_twice: {
      name: 'Device id used twice',
      title: (details, subject) =>
        `Two devices use the id of ${nameOf(details, subject)}, from ${text(details, 'addresses')}`,
      many: count => `${count} device ids are used by two devices each`,
      means: () => 'Each login ends the connection of the other: both send with delays, and their records are mixed.',
      todo: () =>
        'Switch one of them off and give it an id of its own: a cloned memory has the serial number of the other. If there is only one, its firmware opens a second connection before it closes the first: tell its maker.',
    },
    certificate: {
      name: 'Certificate',
      title: details =>
        number(details, 'days') < 0
          ? 'The certificate of the box has expired'
          : `The certificate of the box ends in ${number(details, 'days')} days`,
      many: () => 'The certificate of the box ends',
      means: () => 'After that devices and browsers refuse the box.',
      todo: () => 'Put a new certificate where `tls` in the config points, and start the box again.',
    },
    update: {
      name: 'Update',
      title: () => 'An update waits',
      many: () => 'An update waits',
      means: details => `${text(details, 'file')} is there and is not installed.`,
      todo: () => 'Install it on the page System, Update, outside the rush hours.',
    },
    refused_records: {
      name: 'Refused records',
      title: details =>
        `The cloud has refused ${number(details, 'count')} record${plural(number(details, 'count'))} for good`,
      many: () => 'The cloud has refused records for good',
      means: () => 'They are kept here and are missing at the cloud. The rest goes on.',
      todo: () => 'The page Sync says why. Mend the cause, then send them again there.',
    },
    missing_at_cloud: {
      name: 'People missing at the cloud',
      title: details =>
        text(details, 'incomplete') === ''
          ? `${number(details, 'missing')} ${number(details, 'missing') === 1 ? 'person or department is' : 'people or departments are'} missing at the cloud`
          : 'A list of the cloud is incomplete',
      many: () => 'The lists of the cloud have changed a lot, or are incomplete',
      means: details => {
        const [missing, held] = [number(details, 'missing'), number(details, 'held')];
        const incomplete = text(details, 'incomplete');
        return [
          ...(incomplete === '' ? [] : [`${incomplete}.`]),
          ...(missing === 0 ? [] : ['They are kept here with all that belongs to them, and terminals keep them.']),
          ...(missing - held > 0
            ? [`${missing - held} will be deleted after 24 hours of whole lists without them.`]
            : []),
          ...(held > 0 ? [`${held} are missing at once, which looks like a mistake: only staff deletes them.`] : []),
        ].join(' ');
      },
      todo: () =>
        'Look whether they are still in the organization at the cloud. If they left, there is nothing to do, or delete them on the page Sync; if not, tell its operator.',
    },
    rejected: {
      name: 'Rejected devices',
      title: details => `${number(details, 'count')} device${plural(number(details, 'count'))} rejected`,
      many: count => `${count} devices rejected`,
      means: () => 'A rejected device sends nothing to this box.',
      todo: () => 'The page Devices says why, with the button that helps.',
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
      means: () => 'It is registered here, and nothing has come from it.',
      todo: () => 'Connect it, or remove it from the list.',
    },
    no_device: {
      name: 'No device yet',
      title: () => 'No device is set up yet',
      many: () => 'No device is set up yet',
      means: () => 'Nobody can check in at this site.',
      todo: () => 'Set up the first device.',
    },
    zone: {
      name: 'Time zone of the site',
      title: details => `Time zone not confirmed: ${text(details, 'zone')}`,
      many: () => 'Time zone not confirmed',
      means: () => 'Days, lateness and payroll are calculated in it.',
      todo: () => 'Check the name and time zone of the site in Settings, then save.',
    },
    recovery_key: {
      name: 'Recovery key',
      title: details => (text(details, 'state') === 'none' ? 'No recovery key' : 'Recovery key not confirmed'),
      many: () => 'Recovery key not confirmed',
      means: details =>
        text(details, 'state') === 'none'
          ? 'Backups are encrypted to it: without it none is made.'
          : 'It alone opens the backups, and nobody has confirmed that it is kept.',
      todo: details =>
        text(details, 'state') === 'none'
          ? 'Make it, print or download it, and confirm that it is kept.'
          : 'Confirm that it is kept, or make a new one.',
    },
    no_backup: {
      name: 'No backup yet',
      title: () => 'Not backed up',
      many: () => 'Not backed up',
      means: () => 'If the disk fails, people, devices and keys have to be entered again.',
      todo: () => 'Make a backup or schedule backups under System, Backup.',
    },
    month: {
      name: 'Month to close',
      title: details => `${monthIn(text(details, 'month'))} is ready to close`,
      many: () => 'A month is ready to close',
      means: () => 'Corrections and late check-ins still change its figures.',
      todo: () => 'Review it, then close it.',
    },
    rebooted: {
      name: 'Started again',
      title: () => 'The machine was started again',
      many: () => 'The machine was started again',
      means: () => 'Nothing that was acknowledged is lost. If nobody did it, the power was away.',
      todo: () => 'Nothing, if it was meant. Otherwise look at the power supply.',
    },
    channel: {
      name: 'Alerts do not arrive',
      title: (_, subject) => `Alerts by ${en.channels[subject as AlertChannel] ?? subject} do not arrive`,
      many: count => `${count} channels of the alerts do not work`,
      means: details => `${text(details, 'why')}. The messages go to the other channels.`,
      todo: () => 'Correct it on the page System, Alerts, and send a test.',
    },
  },
  severities: { note: 'Note', warn: 'Warning', critical: 'Critical' },
  channels: {
    ...{ mail: 'mail', webhook: 'webhook', dingtalk: 'DingTalk', feishu: 'Feishu', wecom: 'WeCom' },
    ...{ push: 'app push', sms: 'SMS' },
  },
  over: title => `Over: ${title}`,
  lasted: (lasted, from, to) => `It lasted ${lasted}, from ${from} to ${to}.`,
  since: moment => `Since ${moment}.`,
  more: count => `and ${count} more`,
  atOnce: 'They went at the same time: look at their switch or their power first.',
  digest: (count, open) => `In the quiet hours: ${count} alert${plural(count)}, ${open} still open`,
  digestOver: (title, lasted) => `${title}: over, after ${lasted}`,
  asOf: moment => `Written ${moment}.`,
  test: site => `Test message of ${site}`,
  testLine: 'This channel works. Nothing is wrong.',
  units,
};
