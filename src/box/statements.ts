import type { Statements } from '../admin/index.ts';
import { StatementLog, StatementMaker } from '../attendance/index.ts';
import type { Storage } from './storage.ts';

/** The daily statements of a running box; `retire` removes those that are too old. */
export function openStatements({ config, store, files, actions, clock, log, opened }: Storage): Statements & {
  retire(): Promise<void>;
} {
  const dataDir = files.folder;
  const maker = opened.use(
    new StatementMaker({
      ...{ store, dataDir, actions, clock },
      site: config.site,
      log: log.child({ part: 'statements' }),
    }),
  );
  return { log: new StatementLog(dataDir, store), today: () => maker.today(), retire: () => maker.retire() };
}
