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
  theme: { auto: 'Theme: same as device', light: 'Theme: light', dark: 'Theme: dark' },
  density: { comfortable: 'Rows: comfortable', compact: 'Rows: compact' },
  todo: (count: number) => `${count} to do`,
  skip: 'Skip to the content',
  roles: { admin: 'Administrator', staff: 'Staff', viewer: 'Viewer', none: 'No role', events: 'Program of the site' },
  signIn: {
    title: 'Sign in',
    name: 'Name',
    password: 'Password',
    go: 'Sign in',
    out: 'Sign out',
    wrong: 'The name or the password is wrong.',
    wait: (seconds: number) => `Too many wrong passwords from here. Try again in ${seconds} s.`,
    busy: 'Too many people sign in right now. Try again in a moment.',
    noRole: 'This account has no role at the box. Ask an administrator for one.',
    forged: 'This page is out of date. Open it again.',
    ended: 'Your session has ended. Sign in again.',
  },
  setup: {
    title: 'Make the first account',
    language: 'Language',
    languageHint: 'Of these pages, and of reports and alerts. It can be changed later.',
    lead: 'This box is new. Its setup code is in the log of its first start, or on its label.',
    code: 'Setup code',
    name: 'Your name',
    password: 'New password',
    again: 'Repeat the password',
    go: 'Make the account',
    differs: 'The two passwords differ.',
    wrongCode: 'The setup code is wrong. The box prints a new one each time it starts.',
    wait: (seconds: number) => `Too many wrong codes from here. Try again in ${seconds} s.`,
    nameReserved: 'The audit log uses this name. Choose another.',
    setUp: 'Somebody has made an account in the meantime. Sign in.',
    weak: {
      short: 'The password needs at least 8 characters.',
      long: 'The password can have at most 200 characters.',
      guessed: 'This password is easy to guess. Make it longer: three or four words that nobody expects together.',
      name: 'The password must not contain the name.',
    },
    hint: 'At least 8 characters, hard to guess: three or four words.',
  },
  path: {
    ...path,
    online: (online: number, known: number) => `${online} of ${known} online`,
    waiting: (count: string) => `${count} waiting`,
    nothingWaits: 'nothing waits',
    alone: 'stands alone',
    standby: 'another process forwards',
    up: 'connected',
    away: (span: string) => `unreachable for ${span}`,
    retry: (span: string) => `next try in ${span}`,
    refused: 'refuses this box',
    copied: (ago: string) => `copied ${ago}`,
    notCopied: 'not copied to the end yet',
    boxAway: 'does not answer',
    notKnown: 'not known',
    starting: 'connecting',
    notNeeded: 'no device needs it now',
  },
  today: {
    moreSilent: (count: number) => (count === 1 ? 'and one more' : `and ${count} more`),
    allRefused: 'All of them, and what helps',
    refusedTimes: (count: number) => (count === 1 ? 'refused once' : `refused ${count} times`),
    heldBack: (count: string) =>
      `The box cannot accept records now and has disconnected devices: ${count}. They are not offline by themselves.`,
    ribbon: 'Check-ins today',
    people: (count: number) => (count === 1 ? 'one person' : `${count} people`),
    records: (count: number) => (count === 1 ? 'one check-in' : `${count} check-ins`),
    silentDevices: 'Offline devices',
    lastRecord: 'Last record',
    noRecord: 'none yet',
    never: 'never',
    refused: 'Rejected devices',
    noRefused: 'None',
    noSilent: 'None',
    backup: 'Last backup',
    disk: 'Disk',
    free: (free: string) => `${free} free`,
    oldest: 'Oldest waiting record',
    parked: 'Refused by the cloud',
    firstSteps: 'What is left to do on this box',
    newDevicesRefused: (product: string, count: number) =>
      count === 1
        ? `More new devices of ${product} connected within an hour than are allowed; one login was refused. Let them in, or change the product key.`
        : `More new devices of ${product} connected within an hour than are allowed; ${count} logins were refused. Let them in, or change the product key.`,
    latest: 'The latest',
    time: 'Time',
  },
  state: {
    online: 'online',
    held_back: 'held back by the disk',
    silent: 'offline',
    never: 'never connected',
    refused: 'rejected',
    elsewhere: 'behind another box',
    blocked: 'blocked',
  },
  list: {
    search,
    more: 'Show more',
    none: 'Nothing here.',
    noneFound: 'Nothing matches.',
    loading,
    all: 'All',
    export: 'Export',
  },
  act: {
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Remove',
    add: 'Add',
    close: 'Close',
    again: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    open: 'Open',
    done: 'Done',
    typed: 'What you typed is not saved.',
    discard: 'Discard it',
    goOn: 'Go on typing',
  },
  problem: {
    title: 'That did not work',
    network: 'The box does not answer. Is this device still in its network?',
    behind: (records: number) =>
      `The box is still entering what it has acknowledged: ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} to go. This page waits for them and shows everything when they are in.`,
    notYet: (records: number) =>
      `Not done: the box is still entering what it has acknowledged, ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} to go. Try again in a moment.`,
    unanswered: 'The box did not answer, so it is not known whether this was done. Check before you try again.',
    diskFull:
      'The disk of the box is full, so nothing was changed. Free up space on the page “System”, then try again.',
    notAllowed: (role: string) => `This needs the role ${role}.`,
    notFound: 'There is no such page.',
    waiting: 'The box does not answer. This page continues by itself when it does.',
    broken: 'This page could not be shown.',
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
