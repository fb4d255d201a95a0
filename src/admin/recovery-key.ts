import { z } from '@hono/zod-openapi';
import type { Clock } from '../runtime/clock.ts';
import { newRecoveryKey, type RememberedReads, type RememberedStore } from '../store/index.ts';
import { described } from '../words/described.ts';
import { recoveryKey } from './backup-shapes.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';

const service = 'box';
const recoveryRecipient = 'recovery recipient';
const recoveryKept = 'recovery key kept';

type RecoveryKeyReport = Report<typeof recoveryKey>;

export const recoveryKeyOperations = {
  makeKey: operation({
    method: 'post',
    path: '/recovery-key',
    role: 'admin',
    audited: described('made a recovery key', '生成恢复密钥'),
    summary: described(
      'Makes a recovery key for the backups from now on. The key is in this answer alone: the box keeps its public half',
      '生成此后备份所用的恢复密钥。密钥只在这次应答中，网关只保存其公钥',
    ),
    returns: described('The key', '密钥'),
    answer: recoveryKey.extend({ recovery_key: z.string() }),
  }),
  keepKey: operation({
    method: 'post',
    path: '/recovery-key/kept',
    role: 'admin',
    audited: described('confirmed that the recovery key is kept', '确认恢复密钥已保管'),
    summary: described(
      'Says that the recovery key is kept away from the box; until then it stands among what wants a person',
      '确认恢复密钥已在网关之外保管；确认之前列为待处理事项',
    ),
    body: z.object({
      recipient: z.string().describe(described('Of the key: age1…', '密钥的公钥，以 age1 开头')),
    }),
    returns: described('The key, by its public half', '密钥的公钥'),
    answer: recoveryKey,
    failures: { 409: described('It is not the present key', '不是当前的密钥') },
  }),
};

/** Making the key that opens the backups, and saying that it is kept. */
export const recoveryKeyAdmin = (
  read: RememberedReads,
  writing: <T>(act: (store: RememberedStore) => Promise<T>) => Promise<T>,
  clock: Clock,
): Running<typeof recoveryKeyOperations> => ({
  async keepKey({ recipient }, call = byCommand) {
    const key = await recoveryKeyOf(read);
    if (key?.recipient !== recipient)
      throw refused(409, 'not_the_key', 'recipient: not that of the present recovery key: read it again from /backup');
    call.subject(recipient);
    await writing(store => store.write.remember({ service, key: recoveryKept, value: recipient, at: clock.now() }));
    return { ...key, kept: true };
  },
  async makeKey(_ = {}, call = byCommand) {
    const made = await writing(store => makeRecoveryKey(store, clock));
    call.subject(made.recipient);
    return made;
  },
});

/** The recovery key as the box knows it: its public half; null: none was made yet. */
export async function recoveryKeyOf(read: RememberedReads): Promise<RecoveryKeyReport | null> {
  const kept = await read.remembered(service, recoveryRecipient);
  if (!kept) return null;
  const confirmed = await read.remembered(service, recoveryKept);
  return { recipient: kept.value, made_at: kept.at, kept: confirmed?.value === kept.value };
}

/** Whether there is a recovery key, and somebody has said that it is kept. */
export async function keptRecoveryKey(read: RememberedReads): Promise<'none' | 'unconfirmed' | 'kept'> {
  const key = await recoveryKeyOf(read);
  return key === null ? 'none' : key.kept ? 'kept' : 'unconfirmed';
}

async function makeRecoveryKey(store: RememberedStore, clock: Clock) {
  const { key, recipient } = await newRecoveryKey();
  const at = clock.now();
  await store.write.remember({ service, key: recoveryRecipient, value: recipient, at });
  return { recovery_key: key, recipient, made_at: at, kept: false };
}

/** The public half of the recovery key; null: none was made yet. */
export const recoveryRecipientOf = async (read: RememberedReads): Promise<string | null> =>
  (await recoveryKeyOf(read))?.recipient ?? null;
