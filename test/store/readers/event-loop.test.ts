import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DeviceNo, Seq, StoreReader } from '../../../src/store/index.ts';
import { longestHold } from '../../support/event-loop.ts';
import { fillRows, people, rowsFrom } from '../../support/many-rows.ts';
import { aProduct, applied, aStore, deviceId } from '../../support/store.ts';

/**
 * `ROWS=10000000` is the long run, with the same bound. With `STORE=…`, the data directory of a box
 * that is stopped, or a store of the bench, the reads are measured on a copy of that.
 */
const rows = Number(process.env.ROWS ?? 300_000);
const storeToCopy = process.env.STORE;
const holdMsMax = 20;

const deviceNo = 1 as DeviceNo;
const span = { from: rowsFrom, to: rowsFrom + rows + 1 };
const ms = { from: span.from * 1000, to: span.to * 1000 };
const nowhere = 'a word that no row has';
const stoodIn = { departmentIds: [0], from: '2026-11-01', to: '2026-11-30' };
const limit = 500;

/** Each read once, asked for what costs it most; a new one has no type before it stands here. */
const reads: { readonly [K in keyof StoreReader]: (read: StoreReader) => Promise<unknown> } = {
  inbox: read => read.inbox(deviceNo, { limit: 1000, bytesMax: 1 << 20 }),
  inboxOwners: read => read.inboxOwners(),
  parkedCount: read => read.parkedCount(),
  parked: read => read.parked({ sendAgain: true }),
  waiting: read => read.waiting(),
  oldestWaiting: read => read.oldestWaiting(0 as Seq),
  confirmedLogs: read => read.confirmedLogs(deviceNo, ms.from),
  record: read => read.record(15 as Seq),
  ledger: read => read.ledger(3 as DeviceNo, { limit }),
  refusals: read => read.refusals({ clientId: nowhere }),
  refusalsSince: read => read.refusalsSince(0, limit),
  events: read => read.events(deviceNo, 20),
  logs: read => read.logs({ text: nowhere, limit }),
  logCounts: read => read.logCounts('2025-11-13'),
  checkins: read => read.checkins({ from: span.to, limit }),
  accessRecords: read => read.accessRecords({ from: span.to, limit }),
  newestRecords: read => read.newestRecords(),
  lastSeen: read => read.lastSeen(),
  malformed: read => read.malformed(),
  newestReceipt: read => read.newestReceipt(ms.to),
  site: read => read.site({ withSecrets: true }),
  boxesHeard: read => read.boxesHeard(),
  batchCursor: read => read.batchCursor(deviceNo, 'e'),
  batchRefusals: read => read.batchRefusals(deviceNo, 'e', 1, rows),
  dailyReports: read => read.dailyReports(),
  dailyReportsSince: read => read.dailyReportsSince(0),
  dailyReportDays: read => read.dailyReportDays(nowhere),
  // Of the organization.
  missingAtCloud: read => read.missingAtCloud(limit),
  departments: read => read.departments({ limit, offset: 0 }),
  employees: read => read.employees({ limit, offset: people - limit }),
  features: read => read.features({ extId: 'e1', featureType: 'face', featureAlg: 'a' }),
  featureKinds: read => read.featureKinds(),
  personChangeNo: read => read.personChangeNo(),
  personSyncs: read => read.personSyncs(),
  personSyncOf: read => read.personSyncOf(deviceNo),
  personsAfter: read => read.personsAfter(0, { limit, bytesMax: 1 << 20, productId: 'FACE-T1' as never }),
  nextOrganizationWrite: read => read.nextOrganizationWrite(),
  organizationWrites: read => read.organizationWrites({ refused: false, limit }),
  conflicts: read => read.conflicts(limit),
  mirrorCursor: read => read.mirrorCursor('checkins'),
  uncertainMatches: read => read.uncertainMatches(limit),
  unresolvedPeople: read => read.unresolvedPeople(limit),
  aliases: read => read.aliases(limit),
  likelyPeople: read => read.likelyPeople({ said: [{ saidExtId: nowhere, saidNumber: '' }] }),
  attendanceCaller: read => read.attendanceCaller('ak'),
  checkInsSince: read => read.checkInsSince(),
  checkInPage: read => read.checkInPage({ after: rows / 2, limit }),
  accessPage: read => read.accessPage({ after: 0, limit, passedOnly: true, bytesMax: 1 << 20 }),
  corrections: read => read.corrections({ limit }),
  monthColumns: read => read.monthColumns(),
  // Of closed months.
  periods: read => read.periods({ limit }),
  closingDrafts: read => read.closingDrafts({ now: 1 }),
  period: read => read.period(1),
  frozenRows: read => read.frozenRows({ months: ['2026-11'], extIds: ['e1'] }),
  rowsOfPeriod: read => read.rowsOfPeriod({ id: 1, limit }),
  frozenOfOthers: read => read.frozenOfOthers({ month: '2026-11', departmentExtId: nowhere, limit }),
  periodChanges: read => read.periodChanges({ id: 1, kind: 'late', limit }),
  periodInputs: read => read.periodInputs({ ...span, fromDate: '2026-11-01', toDate: '2026-11-30' }),
  siteChoice: read => read.siteChoice(),
  drillResults: read => read.drillResults(),
  checkInReport: read => read.checkInReport({ ...span, stoodIn, limit }),
  accessReport: read => read.accessReport({ ...span, stoodIn, limit }),
  // Of plans.
  shifts: read => read.shifts(),
  rosterRules: read => read.rosterRules({ limit }),
  dayOverrides: read => read.dayOverrides({ limit }),
  employments: read => read.employments({ limit }),
  leaves: read => read.leaves({ limit }),
  rosterRule: read => read.rosterRule(1),
  dayOverride: read => read.dayOverride(1),
  leave: read => read.leave(1),
  planNames: read => read.planNames({ departments: [nowhere], people: [nowhere] }),
  // Of accounts and services.
  user: read => read.user('mei'),
  session: read => read.session('x'),
  sessions: read => read.sessions('mei'),
  ownSession: read => read.ownSession({ idHash: 'x', today: '2026-11-20' }),
  hasAccessCode: read => read.hasAccessCode({ code: 'X', at: 1 }),
  isOwnCheckIn: read => read.isOwnCheckIn({ extId: 'p1', checkIn: 1 }),
  monthConfirmation: read => read.monthConfirmation({ extId: 'p1', month: '2026-11' }),
  ownAccess: read => read.ownAccess({ extId: 'p1', at: 1 }),
  oauthClient: read => read.oauthClient('c1'),
  consent: read => read.consent('c1', 'mei'),
  accessToken: read => read.accessToken('x'),
  grants: read => read.grants(null),
  nextRefreshToken: read => read.nextRefreshToken('x'),
  browserMark: read => read.browserMark('x', 'mei'),
  openid: read => read.openid('c1', 'mei'),
  app: read => read.app('hr'),
  signedAnswer: read => read.signedAnswer({ appId: 'hr', timestamp: '1', nonce: 'n' }),
  file: read => read.file('f1'),
  filesDue: read => read.filesDue(ms.to, limit),
  filesStoredBefore: read => read.filesStoredBefore(0, limit),
  nextWaitingFile: read => read.nextWaitingFile(),
  currentAlerts: read => read.currentAlerts(),
  pastAlerts: read => read.pastAlerts({ limit: 200 }),
  alertMessages: read => read.alertMessages(),
  alertSetting: read => read.alertSetting('settings'),
  pageSettings: read => read.pageSettings(),
  bulkChanges: read => read.bulkChanges({ since: 0 }),
  webhookPlaces: read => read.webhookPlaces(),
  webhooks: read => read.webhooks(),
  webhookDeliveries: read => read.webhookDeliveries('payroll'),
  backupCopies: read => read.backupCopies(),
  backupSetting: read => read.backupSetting('settings'),
  remembered: read => read.remembered('weather', 'x'),
  message: read => read.message('x'),
  messagesToRelay: read => read.messagesToRelay('waits', limit),
  appMessagesAfter: read => read.appMessagesAfter('other', 'm1', limit),
  callerUses: read => read.callerUses(),
  hasSignedAnswersAfter: read => read.hasSignedAnswersAfter({ appId: 'hr-portal', after: 0, atLeast: 10_000 }),
  isMessageOfCloud: read => read.isMessageOfCloud('none'),
  messageTemplate: read => read.messageTemplate('late'),
  appUpgrades: read => read.appUpgrades('panel'),
  servicesWaiting: read => read.servicesWaiting(),
  // Of provisioning and staff.
  networkSetup: read => read.networkSetup(),
  hotspotKey: read => read.hotspotKey(),
  deviceSetups: read => read.deviceSetups(limit),
  deviceSetup: read => read.deviceSetup(deviceId('FACE-T1_A0001')),
  devicePeer: read => read.devicePeer('FT1'),
  users: read => read.users(),
  hasUsers: read => read.hasUsers(),
  tokens: read => read.tokens(),
  token: read => read.token('x'),
  auditEntries: read => read.auditEntries({ text: nowhere, limit }),
  keptDays: read => read.keptDays(),
  olderThan: read => read.olderThan('logs', ms.to),
  auditRows: async read => {
    for await (const _ of read.auditRows());
  },
  verifyAudit: read => read.verifyAudit(),
  // What people look at.
  checkinCounts: read => read.checkinCounts({ ...span, partSeconds: 3600 }),
  checkinPeople: read => read.checkinPeople(span),
  history: read => read.history({ ring: 'hour', from: ms.from, to: ms.to }),
  deviceHours: read => read.deviceHours({ deviceNo, from: ms.from, to: ms.to }),
  deviceClockTrace: read => read.deviceClockTrace({ deviceNo, ...ms, partMs: 3_600_000 }),
  onlineHours: read => read.onlineHours({ from: ms.from, to: ms.to }),
  latestCheckins: read => read.latestCheckins({ limit }),
  wereHere: read => read.wereHere(),
  attendanceCallers: read => read.attendanceCallers(limit),
  apps: read => read.apps(limit),
  lastAddresses: read => read.lastAddresses(),
  newDevicesSince: read => read.newDevicesSince(0),
  seen: read => read.seen(deviceNo),
  lastConnected: read => read.lastConnected(deviceNo),
  inboxCount: read => read.inboxCount(deviceNo),
  lastLogs: read => read.lastLogs(deviceNo, { limit }),
  seqBefore: read => read.seqBefore(ms.to),
  parkedPage: read => read.parkedPage({ after: 0, limit }),
  erasures: read => read.erasures(limit),
  dayCounts: read => read.dayCounts(span),
  dayPeople: read => read.dayPeople({ ...span, here: false, limit }),
  people: read => read.people({ text: nowhere, limit }),
  peopleCount: read => read.peopleCount({ text: nowhere }),
  checkTimes: read => read.checkTimes({ ...span, ids: [1, 2, 3], limit }),
  person: read => read.person('e1'),
  punches: read => read.punches({ ...span, extId: 'e1', limit }),
  punchFacts: read => read.punchFacts({ ...span, ids: [1, 2, 3], limit }),
  punchFactsOfAll: read => read.punchFactsOfAll(span),
  departmentTree: read => read.departmentTree(limit),
  departmentsByDate: read => read.departmentsByDate('2025-11-01'),
  formerDepartments: read => read.formerDepartments({ ids: [1, 2, 3], since: '2025-11-01' }),
  featureMarks: read => read.featureMarks(['e1']),
  featureFacts: read => read.featureFacts('e1'),
  accessEvents: read => read.accessEvents({ ...span, result: 9, limit, lookMax: 20_000 }),
  accessPhoto: read => read.accessPhoto(1),
  logTail: read => read.logTail({ text: nowhere, limit }),
  // Of statements and receipts.
  journalBegin: read => read.journalBegin(),
  receipt: read => read.receipt({ checkin: 1 }),
  statementDay: read =>
    read.statementDay({
      ...{ after: 0 as Seq, from: ms.from, to: ms.to, timeZone: 'Asia/Shanghai', before: {} },
      codes: { checkin: 2001, access: 2002 },
    }),
  punchesSince: read => read.punchesSince({ checkin: 0, access: 0 }, limit),
};

/** Those that can be limited to some devices: here to one that reported nothing, so that all is looked at. */
const deviceNos = new Set([2 as DeviceNo]);
const ofDevices: Partial<typeof reads> = {
  checkInPage: read => read.checkInPage({ after: 0, limit, deviceNos }),
  accessPage: read => read.accessPage({ after: 0, limit, passedOnly: false, bytesMax: 1 << 20, deviceNos }),
  checkins: read => read.checkins({ limit, deviceNos }),
  accessRecords: read => read.accessRecords({ limit, deviceNos }),
  logs: read => read.logs({ limit, deviceNos }),
  checkInReport: read => read.checkInReport({ ...span, limit, deviceNos }),
  accessReport: read => read.accessReport({ ...span, limit, deviceNos }),
  checkinCounts: read => read.checkinCounts({ ...span, partSeconds: 3600, deviceNos }),
  checkinPeople: read => read.checkinPeople({ ...span, deviceNos }),
  latestCheckins: read => read.latestCheckins({ limit, deviceNos }),
  dayCounts: read => read.dayCounts({ ...span, deviceNos }),
  dayPeople: read => read.dayPeople({ ...span, here: true, limit, deviceNos }),
  checkTimes: read => read.checkTimes({ ...span, ids: [1, 2, 3], limit, deviceNos }),
  accessEvents: read => read.accessEvents({ ...span, limit, lookMax: 100_000, deviceNos }),
};

async function copied(dataDir: string) {
  const copy = await mkdtemp(join(tmpdir(), 'gatehouse-store-'));
  await cp(dataDir, copy, { recursive: true });
  return aStore({ dataDir: copy });
}

async function storeOfManyRows() {
  const opened = await aStore();
  await applied(opened.store, { products: [aProduct()], devices: [{ device_id: 'FACE-T1_A0001' }] });
  for (const id of ['FACE-T1_A0002', 'FACE-T1_A0003'])
    await opened.store.write.registerDevice({ deviceId: deviceId(id), at: 1 });
  await opened.store[Symbol.asyncDispose]();
  fillRows(opened.dataDir, rows);
  await opened.reopen();
  return opened;
}

const where = storeToCopy ? `of ${storeToCopy}` : `at ${rows} logs and as many check-ins`;
test(`no read holds the event loop over ${holdMsMax} ms, ${where}`, async () => {
  await using opened = await (storeToCopy ? copied(storeToCopy) : storeOfManyRows());
  const held: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads)) held[name] = await longestHold(() => read(opened.store.read));
  for (const [name, read] of Object.entries(ofDevices))
    held[`${name} of devices`] = await longestHold(() => read(opened.store.read));
  held['journal.tally'] = await longestHold(async () => opened.store.journal.tally(0 as Seq, 2048));
  held['journal.read'] = await longestHold(() =>
    opened.store.journal.read(0 as Seq, { bytesMax: 128 << 10, deviceNos: new Set([9 as DeviceNo]) }),
  );
  const slowest = Object.entries(held).sort(([, one], [, other]) => other - one);
  if (process.env.ROWS || storeToCopy)
    console.info(slowest.slice(0, 10).map(([name, took]) => `${name} ${took.toFixed(1)} ms`));
  expect(slowest.filter(([, took]) => took > holdMsMax)).toEqual([]);
}, 10_800_000);
