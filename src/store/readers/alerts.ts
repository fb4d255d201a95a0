import { and, asc, desc, eq, lt } from 'drizzle-orm';
import type { AlertReads } from '../port/alerts.ts';
import type { Connection } from '../schema/database.ts';
import { alert, alertMessage, alertSetting } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { places } from './rows.ts';

/** Reads of the alerts. */
export function alertReads({ orm, seal }: Connection): AlertReads {
  const current = query(() => orm.select().from(alert).where(eq(alert.isDone, false)).orderBy(asc(alert.openedAt)));
  const past = query((value: Params<{ before: number; limit: number }>) =>
    orm
      .select()
      .from(alert)
      .where(and(eq(alert.isDone, true), lt(alert.openedAt, value.before)))
      .orderBy(desc(alert.openedAt))
      .limit(value.limit),
  );
  const messages = query(() => orm.select().from(alertMessage).orderBy(asc(alertMessage.id)));
  const setting = query((value: Params<{ key: string }>) =>
    orm.select().from(alertSetting).where(eq(alertSetting.key, value.key)),
  );
  return {
    async currentAlerts() {
      return current.all();
    },
    async pastAlerts({ limit, before = Number.MAX_SAFE_INTEGER }) {
      return past.all({ before, limit });
    },
    async alertMessages() {
      return messages.all();
    },
    async alertSetting(key) {
      const row = setting.get({ key });
      return row ? seal.openText(row.sealedValue, places.alertSetting(key)) : null;
    },
  };
}
