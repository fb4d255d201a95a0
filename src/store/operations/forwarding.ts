import type { StoreWrites } from '../port.ts';
import type { OperationContext } from '../writer.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

const advance = 'UPDATE device SET forwarded_seq = max(forwarded_seq, ?) WHERE device_no = ?';

export function confirm({ sql }: OperationContext, { confirmations }: Input<'confirm'>): void {
  const insert = sql(
    'INSERT INTO confirmation (device_no, up_to_seq, confirmed_at, via) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  for (const { deviceNo, upToSeq, at, via } of confirmations) {
    insert.run(deviceNo, upToSeq, at, via);
    sql(advance).run(upToSeq, deviceNo);
  }
}

export function park({ sql }: OperationContext, { seq, deviceNo, at, code, reason }: Input<'park'>): void {
  sql(
    'INSERT OR REPLACE INTO parked (seq, device_no, parked_at, code, reason, send_again) VALUES (?, ?, ?, ?, ?, 0)',
  ).run(seq, deviceNo, at, code, reason);
  sql(advance).run(seq, deviceNo);
}

export function sendParkedAgain({ sql }: OperationContext, { seq }: Input<'sendParkedAgain'>): number {
  const marked =
    seq === null
      ? sql('UPDATE parked SET send_again = 1 WHERE send_again = 0').run()
      : sql('UPDATE parked SET send_again = 1 WHERE seq = ?').run(seq);
  return Number(marked.changes);
}

export function settleParked({ sql }: OperationContext, { seq, outcome, at }: Input<'settleParked'>): void {
  if (outcome === 'confirmed') sql('DELETE FROM parked WHERE seq = ?').run(seq);
  else
    sql('UPDATE parked SET send_again = 0, code = ?, reason = ?, parked_at = ? WHERE seq = ?').run(
      outcome.code,
      outcome.reason,
      at,
      seq,
    );
}
