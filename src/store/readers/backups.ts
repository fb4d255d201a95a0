import { asc, desc, eq } from 'drizzle-orm';
import type { BackupReads } from '../port/backups.ts';
import type { Connection } from '../schema/database.ts';
import { backupCopy, backupSetting } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { places } from './rows.ts';

/** No target keeps more by any settings. */
const copiesMax = 5000;

/** Reads of what the box keeps of its backups. */
export function backupReads({ orm, seal }: Connection): BackupReads {
  const copies = query(() =>
    orm.select().from(backupCopy).orderBy(desc(backupCopy.madeAt), asc(backupCopy.target)).limit(copiesMax),
  );
  const setting = query((value: Params<{ key: string }>) =>
    orm.select().from(backupSetting).where(eq(backupSetting.key, value.key)),
  );
  return {
    async backupCopies() {
      return copies.all();
    },
    async backupSetting(key) {
      const row = setting.get({ key });
      return row ? seal.openText(row.sealedValue, places.backupSetting(key)) : null;
    },
  };
}
