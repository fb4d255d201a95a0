import { max } from 'drizzle-orm';
import type { Connection } from '../schema/database.ts';
import { accessRecord, checkin, checkinUnresolved } from '../schema/index.ts';
import { query } from '../schema/query.ts';

/** The newest ids of check-ins, known or not, and of access records; 0 for none. */
export function lastIds({ orm }: Connection): { checkin(): number; access(): number } {
  const known = query(() => orm.select({ id: max(checkin.id) }).from(checkin));
  const unresolved = query(() => orm.select({ id: max(checkinUnresolved.id) }).from(checkinUnresolved));
  const access = query(() => orm.select({ id: max(accessRecord.id) }).from(accessRecord));
  return {
    checkin: () => Math.max(known.get()?.id ?? 0, unresolved.get()?.id ?? 0),
    access: () => access.get()?.id ?? 0,
  };
}
