import type { StoreWrites } from '../../port/store.ts';
import { places } from '../../readers/rows.ts';
import type { OperationContext } from '../operation-context.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export function putBackupCopy({ sql }: OperationContext, copy: Input<'putBackupCopy'>): void {
  sql(
    `INSERT INTO backup_copy (target, name, made_at, bytes, sha256, verified_at, restore_tried_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (target, name) DO UPDATE SET made_at = excluded.made_at, bytes = excluded.bytes,
         sha256 = excluded.sha256, verified_at = excluded.verified_at, restore_tried_at = excluded.restore_tried_at`,
  ).run(
    ...([copy.target, copy.name, copy.madeAt, copy.bytes, copy.sha256] as const),
    ...([copy.verifiedAt, copy.restoreTriedAt] as const),
  );
}

export function removeBackupCopy({ sql }: OperationContext, { target, name }: Input<'removeBackupCopy'>): void {
  sql('DELETE FROM backup_copy WHERE target = ? AND name = ?').run(target, name);
}

export function putBackupSetting({ sql, seal }: OperationContext, { key, value }: Input<'putBackupSetting'>): void {
  sql(
    'INSERT INTO backup_setting (key, sealed_value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET sealed_value = excluded.sealed_value',
  ).run(key, seal.sealText(value, places.backupSetting(key)));
}
