import { expect } from 'vitest';
import type { BackupCopy, BackupWrites } from '../../../src/store/index.ts';
import { at, type Cases } from './case.ts';

const copy: BackupCopy = {
  ...{ target: 'directory', name: 'gatehouse-1.gh', madeAt: at, bytes: 5000, sha256: 'ab'.repeat(32) },
  ...{ verifiedAt: null, restoreTriedAt: null },
};

export const backupCases: Cases<BackupWrites> = {
  putBackupCopy: async ({ store: { read, write } }) => {
    expect(await read.backupCopies()).toEqual([]);
    const verified = { ...copy, verifiedAt: at + 5, restoreTriedAt: at + 6 };
    const newer = { ...copy, name: 'gatehouse-2.gh', madeAt: at + 1 };
    for (const one of [copy, verified, newer]) await write.putBackupCopy(one);
    expect(await read.backupCopies()).toEqual([newer, verified]);
  },
  removeBackupCopy: async ({ store: { read, write } }) => {
    for (const target of ['directory', 'sftp']) await write.putBackupCopy({ ...copy, target });
    await write.removeBackupCopy({ target: 'sftp', name: copy.name });
    await write.removeBackupCopy({ target: 'sftp', name: copy.name });
    expect(await read.backupCopies()).toEqual([copy]);
  },
  putBackupSetting: async ({ store: { read, write } }) => {
    expect(await read.backupSetting('settings')).toBeNull();
    for (const value of ['{"times":["02:30"]}', '{}']) await write.putBackupSetting({ key: 'settings', value });
    expect(await read.backupSetting('settings')).toBe('{}');
  },
};
