import { shellWords } from './shell.ts';

const { path, more, search, loading } = shellWords.en;

/**
 * Every word of the web UI in English; the other languages have the same keys, or do not compile.
 */
export const en = {
  name: 'Gatehouse',
  more,
  language: 'English',
  otherLanguage: '中文',
  theme: { auto: 'Theme: System', light: 'Theme: Light', dark: 'Theme: Dark' },
  density: { comfortable: 'Density: Comfortable', compact: 'Density: Compact' },
  todo: (count: number) => `${count} to do`,
  skip: 'Skip to content',
  roles: { admin: 'Administrator', staff: 'Staff', viewer: 'Viewer', none: 'No role', events: 'Event subscriber' },
  signIn: {
    title: 'Sign in',
    name: 'Name',
    password: 'Password',
    go: 'Sign in',
    out: 'Sign out',
    wrong: 'Wrong name or password.',
    wait: (seconds: number) => `Too many failed attempts. Try again in ${seconds} s.`,
    busy: 'Too many sign-ins in progress. Try again in a moment.',
    noRole: 'This account has no role. Ask an administrator for one.',
    forged: 'This page has expired. Reload it.',
    ended: 'Your session has ended. Sign in again.',
  },
  setup: {
    title: 'Create the administrator account',
    language: 'Language',
    languageHint: 'Used for the web interface, reports and alerts. You can change it later.',
    lead: 'Enter the setup code printed on the label (or in the startup log).',
    code: 'Setup code',
    name: 'Your name',
    password: 'New password',
    again: 'Confirm password',
    go: 'Create account',
    differs: 'The passwords do not match.',
    wrongCode: 'Wrong setup code. The startup log has a new one after each restart.',
    wait: (seconds: number) => `Too many failed attempts. Try again in ${seconds} s.`,
    nameReserved: 'This name is reserved. Choose another.',
    setUp: 'An account already exists. Sign in.',
    weak: {
      short: 'The password needs at least 8 characters.',
      long: 'The password can have at most 200 characters.',
      guessed: 'This password is easy to guess. Use three or four unrelated words.',
      name: 'The password must not contain the name.',
    },
    hint: 'At least 8 characters. Three or four unrelated words work well.',
  },
  path: {
    ...path,
    online: (online: number, known: number) => `${online} of ${known} online`,
    waiting: (count: string) => `${count} queued`,
    nothingWaits: 'up to date',
    alone: 'no cloud configured',
    standby: 'sent by another process',
    up: 'connected',
    away: (span: string) => `offline for ${span}`,
    retry: (span: string) => `retry in ${span}`,
    refused: 'rejected',
    copied: (ago: string) => `copied ${ago}`,
    notCopied: 'first copy incomplete',
    boxAway: 'not responding',
    notKnown: 'unknown',
    starting: 'connecting',
    notNeeded: 'idle until a device connects',
  },
  today: {
    moreSilent: (count: number) => `${count} more`,
    allRefused: 'View all rejected devices',
    refusedTimes: (count: number) => (count === 1 ? 'rejected once' : `rejected ${count} times`),
    heldBack: (count: string) =>
      `New records are being rejected: the gateway has disconnected ${count} ${count === '1' ? 'device' : 'devices'}, not counted as offline.`,
    ribbon: 'Check-ins today',
    people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
    records: (count: number) => (count === 1 ? '1 check-in' : `${count} check-ins`),
    silentDevices: 'Offline devices',
    lastRecord: 'Last record',
    noRecord: 'No records',
    never: 'never',
    refused: 'Rejected devices',
    noRefused: 'None',
    noSilent: 'None',
    backup: 'Last backup',
    disk: 'Disk',
    free: (free: string) => `${free} free`,
    oldest: 'Oldest queued record',
    parked: 'Rejected by the cloud',
    firstSteps: 'Continue setup',
    newDevicesRefused: (product: string, count: number) =>
      count === 1
        ? `Hourly limit for new ${product} devices reached, 1 login rejected. Allow new devices, or change the product key.`
        : `Hourly limit for new ${product} devices reached, ${count} logins rejected. Allow new devices, or change the product key.`,
    latest: 'Recent check-ins',
    time: 'Time',
  },
  state: {
    online: 'online',
    held_back: 'disconnected, disk full',
    silent: 'offline',
    never: 'never connected',
    refused: 'rejected',
    elsewhere: 'at another gateway',
    blocked: 'blocked',
  },
  list: {
    search,
    more: 'Show more',
    none: 'Nothing yet',
    noneFound: 'No matches',
    loading,
    all: 'All',
    filters: 'Filters',
    export: 'Export',
  },
  act: {
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Delete',
    add: 'Add',
    close: 'Close',
    again: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    open: 'Open',
    done: 'Done',
    typed: 'Discard changes?',
    discard: 'Discard',
    goOn: 'Keep editing',
    undo: 'Undo',
    undone: 'Undone',
  },
  problem: {
    title: 'Something went wrong',
    network: 'The gateway is not responding. Check that this device is on the same network.',
    behind: (records: number) =>
      `Processing acknowledged records: ${records.toLocaleString('en')} left. This page updates when they are complete.`,
    notYet: (records: number) =>
      `Not saved: the gateway is still processing acknowledged records, ${records.toLocaleString('en')} left. Try again in a moment.`,
    unanswered: 'The gateway did not respond. Check whether the change was saved before you try again.',
    diskFull: 'Disk full. Nothing was changed. Free up space on the page “System”, then try again.',
    notAllowed: (role: string) => `Requires the role ${role}.`,
    notFound: 'Page not found',
    waiting: 'The gateway is not responding. This page continues as soon as it does.',
    broken: 'This page failed to load.',
  },
  ago: {
    now: 'just now',
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
    ago: (span: string) => `${span} ago`,
  },
};

/** The same shape with words of another language. */
export type Said<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [K in keyof T]: Said<T[K]> };
export type Words = Said<typeof en>;
