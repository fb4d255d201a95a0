import { expect } from 'vitest';
import type { FileWrites, MessageWrites, RememberedWrites, SignedCallWrites } from '../../../src/store/index.ts';
import { applied } from '../../support/store.ts';
import { at, type Cases, type PortStore } from './case.ts';

const file = {
  ...{ fileId: 'f1', appId: 'a1', client: 'phone', name: 'notes.txt', contentType: 'text/plain', bytes: 5 },
  ...{ sha256: 'hash', isPublic: true, overHttps: false, storedAt: at, dueAt: at + 10, waits: true },
};
const content = { body: 'Late', payload: { url: 'x' }, mobiles: ['13800000000'], request: '{"title":"Late"}' };
const message: Parameters<MessageWrites['putMessage']>[0] = {
  ...{ msgId: 'm1', kind: 'app', appId: 'a1', acceptedAt: at, title: 'Late', content },
  ...{ androidSend: 0, iosSend: 0, result: 0, relay: 'waits' },
};

const waitingIds = async ({ read }: PortStore) => (await read.messagesToRelay('waits', 10)).map(({ msgId }) => msgId);

export const serviceCases: Cases<FileWrites & MessageWrites & RememberedWrites & SignedCallWrites> = {
  putFile: async ({ store }) => {
    await store.write.putFile(file);
    expect(await store.read.file('f1')).toEqual({ ...file, cloudFileId: null, refusal: null });
    expect(await store.read.nextWaitingFile()).toMatchObject({ fileId: 'f1' });
    expect(await store.read.filesDue(at + 9, 10)).toEqual([]);
    expect(await store.read.filesDue(at + 10, 10)).toEqual(['f1']);
  },
  removeFiles: async ({ store }) => {
    for (const fileId of ['f1', 'f2', 'f3']) await store.write.putFile({ ...file, fileId, waits: false });
    await store.write.removeFiles({ fileIds: ['f1', 'f3', 'unknown'] });
    expect(await store.read.filesStoredBefore(at + 1, 10)).toEqual(['f2']);
  },
  settleFile: async ({ store }) => {
    for (const fileId of ['f1', 'f2']) await store.write.putFile({ ...file, fileId });
    await store.write.settleFile({ fileId: 'f1', cloudFileId: 'c1', refusal: null });
    await store.write.settleFile({ fileId: 'f2', cloudFileId: null, refusal: 'too large' });
    expect(await store.read.file('f1')).toMatchObject({ waits: false, cloudFileId: 'c1' });
    expect(await store.read.file('f2')).toMatchObject({ waits: false, refusal: 'too large' });
    expect(await store.read.servicesWaiting()).toEqual({ files: 0, messages: 0, refused: 1 });
  },
  seeApp: async ({ store }) => {
    const { id, ...use } = { id: 'a1', at, address: '10.0.0.9', call: '/api/1.0.0/holiday' };
    await applied(store, { apps: [{ app_id: id, app_key: 'key', name: 'Portal' }] });
    expect(await store.read.callerUses()).toEqual({ attendance: [], services: [] });
    await store.write.seeApp({ id, ...use });
    await store.write.seeApp({ id: 'unknown', ...use });
    // A new key leaves it as it is; a removed app takes it along.
    await applied(store, { apps: [{ app_id: id, app_key: 'other', name: 'Portal' }] });
    expect((await store.read.callerUses()).services).toEqual([{ id, ...use }]);
  },
  seeAttendanceCaller: async ({ store }) => {
    const use = { id: 'ak1', at, address: '10.0.0.9', call: '/v2.0/cloudappapi checkin_query' };
    await applied(store, { attendance_callers: [{ app_key: 'ak1', app_secret: 'as1', name: '' }] });
    await store.write.seeAttendanceCaller(use);
    expect(await store.read.callerUses()).toEqual({ attendance: [use], services: [] });
  },
  putSignedAnswer: async ({ store }) => {
    const call = { appId: 'a1', timestamp: String(at), nonce: 'n1' };
    const put = (answer: string) => store.write.putSignedAnswer({ ...call, bodyHash: 'hash', answer, at });
    await put('{"code":0}');
    await put('{"code":1}');
    expect(await store.read.signedAnswer(call)).toEqual({ bodyHash: 'hash', answer: '{"code":0}' });
    expect(await store.read.signedAnswer({ ...call, nonce: 'n2' })).toBeNull();
    const after = { appId: 'a1', after: at - 1, atLeast: 1 };
    expect(await store.read.hasSignedAnswersAfter(after)).toBe(true);
    expect(await store.read.hasSignedAnswersAfter({ ...after, atLeast: 2 })).toBe(false);
  },
  remember: async ({ store }) => {
    const remember = (value: string, when: number) =>
      store.write.remember({ service: 'weather', key: 'k', value, at: when });
    await remember('rain', at);
    await remember('sun', at + 1);
    expect(await store.read.remembered('weather', 'k')).toEqual({ value: 'sun', at: at + 1 });
    expect(await store.read.remembered('weather', 'other')).toBeNull();
  },
  putMessage: async ({ store }) => {
    await store.write.putMessage(message);
    await store.write.putMessage({ ...message, title: 'again' });
    expect(await store.read.message('m1')).toMatchObject({
      ...{ ...message, attemptedAt: null, cloudMsgId: null, reason: '', cloudAndroidSend: 0, cloudIosSend: 0 },
    });
    await store.write.putMessage({ ...message, msgId: 'm2' });
    expect(await waitingIds(store)).toEqual(['m1', 'm2']);
    expect((await store.read.appMessagesAfter('a1', 'm1', 10)).map(({ msgId }) => msgId)).toEqual(['m2']);
  },
  wordMessage: async ({ store }) => {
    await store.write.putMessage(message);
    await store.write.wordMessage({ msgId: 'm1', title: 'Later', content: { ...content, body: 'Later' } });
    expect(await store.read.message('m1')).toMatchObject({ title: 'Later', content: { ...content, body: 'Later' } });
  },
  settleMessage: async ({ store }) => {
    await store.write.putMessage(message);
    const sent = { msgId: 'm1', relay: 'sent', cloudMsgId: 'c1', attemptedAt: at + 1 } as const;
    await store.write.settleMessage(sent);
    // What is not named stays.
    await store.write.settleMessage({ msgId: 'm1', relay: 'sent', result: 1 });
    expect(await store.read.message('m1')).toMatchObject({ ...sent, result: 1 });
    expect(await waitingIds(store)).toEqual([]);
    expect(await store.read.isMessageOfCloud('c1')).toBe(true);
    expect(await store.read.isMessageOfCloud('m1')).toBe(false);
  },
  countPush: async ({ store }) => {
    await store.write.putMessage(message);
    await store.write.countPush({ msgId: 'm1', android: 2, ios: 0 });
    await store.write.countPush({ msgId: 'm1', android: 1, ios: 3 });
    expect(await store.read.message('m1')).toMatchObject({ androidSend: 3, iosSend: 3, relay: 'waits' });
  },
  retireMessages: async ({ store }) => {
    await store.write.putMessage({ ...message, msgId: 'short', kind: 'sms' });
    await store.write.putMessage({ ...message, msgId: 'old', relay: 'sent' });
    await store.write.putMessage({ ...message, msgId: 'young', acceptedAt: at + 10, relay: 'sent' });
    await store.write.retireMessages({ givenUpBefore: at + 5, before: at });
    expect(await store.read.message('short')).toMatchObject({ relay: 'refused', result: 2 });
    expect(await store.read.message('old')).not.toBeNull();
    await store.write.retireMessages({ givenUpBefore: at + 5, before: at + 5 });
    expect(await store.read.message('old')).toBeNull();
    expect(await store.read.message('young')).not.toBeNull();
  },
  retireSignedAnswers: async ({ store }) => {
    const call = { appId: 'a1', timestamp: String(at), nonce: 'n1' };
    await store.write.putSignedAnswer({ ...call, bodyHash: '', answer: '', at });
    await store.write.retireSignedAnswers({ before: at });
    expect(await store.read.signedAnswer(call)).not.toBeNull();
    await store.write.retireSignedAnswers({ before: at + 5 });
    expect(await store.read.signedAnswer(call)).toBeNull();
  },
  retireRemembered: async ({ store }) => {
    for (const service of ['weather', 'box']) await store.write.remember({ service, key: 'k', value: '', at });
    await store.write.retireRemembered({ before: at + 5 });
    expect(await store.read.remembered('weather', 'k')).toBeNull();
    expect(await store.read.remembered('box', 'k')).not.toBeNull();
  },
};
