import type { OperationContext } from '../../domain.ts';
import type { StoreWrites } from '../../port/store.ts';
import { places } from '../../readers/rows.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export function putInbox(
  { sql, seal }: OperationContext,
  { deviceNo, payload, at, max }: Input<'putInbox'>,
): { id: number; dropped: number } {
  const { id } = sql('INSERT INTO inbox (device_no, put_at, sealed_message) VALUES (?, ?, ?) RETURNING id').get(
    deviceNo,
    at,
    seal.seal(payload, places.inbox),
  ) as { id: number };
  const dropped = sql(
    'DELETE FROM inbox WHERE device_no = ?1 AND id <= (SELECT id FROM inbox WHERE device_no = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)',
  ).run(deviceNo, max);
  return { id, dropped: Number(dropped.changes) };
}

export function removeInbox({ later }: OperationContext, { ids }: Input<'removeInbox'>): void {
  for (const id of ids) later('DELETE FROM inbox WHERE id = ?', id);
}
