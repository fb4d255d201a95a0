import { asc, desc, eq, gte } from 'drizzle-orm';
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { codedText, parseCoded, type Why } from '../../words/sentences.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';

/** Daily attendance reports that were set up on the page; those of the config are in no table. */
export const dailyReport = sqliteTable('daily_report', {
  name: text().primaryKey(),
  /** As the config has them, as JSON: an address of a robot is a secret. */
  sealedSettings: blob('sealed_settings', { mode: 'buffer' }).notNull(),
  /** The report of a time before is not sent. */
  since: integer().notNull(),
});

/** Outcome of the report of a day. */
export const dailyReportDay = sqliteTable(
  'daily_report_day',
  {
    name: text().notNull(),
    day: text().notNull(),
    /** `nobody`: nobody was scheduled. `failing`: it is tried again. */
    state: text().$type<DailyReportDay['state']>().notNull(),
    at: integer().notNull(),
    attempts: integer().notNull(),
    why: text().notNull(),
    said: text(),
  },
  table => [primaryKey({ columns: [table.name, table.day] })],
);

export interface DailyReportDay extends Why {
  readonly name: string;
  readonly day: DateText;
  readonly state: 'sent' | 'nobody' | 'failing' | 'given_up';
  readonly at: UnixMs;
  readonly attempts: number;
}

export interface KeptDailyReport {
  readonly name: string;
  /** JSON. */
  readonly settings: string;
  readonly since: UnixMs;
}

export type DailyReportStore = PartOf<typeof dailyReports>;

const keptDays = 60;
const placeOf = (name: string): string => `daily_report.settings:${name}`;
const dayIn = ({ said, ...row }: typeof dailyReportDay.$inferSelect): DailyReportDay => ({
  ...row,
  ...parseCoded(said),
});

export const dailyReports = {
  reads({ connection: { orm, seal } }: Reading) {
    const all = query(() => orm.select().from(dailyReport).orderBy(asc(dailyReport.name)));
    const days = query((value: Params<{ name: string }>) =>
      orm
        .select()
        .from(dailyReportDay)
        .where(eq(dailyReportDay.name, value.name))
        .orderBy(desc(dailyReportDay.day))
        .limit(keptDays),
    );
    const since = query((value: Params<{ at: number }>) =>
      orm.select().from(dailyReportDay).where(gte(dailyReportDay.at, value.at)).orderBy(asc(dailyReportDay.day)),
    );
    return {
      /** Those of the page, by name. */
      dailyReports: async (): Promise<KeptDailyReport[]> =>
        all.all().map(({ name, sealedSettings, since }) => ({
          ...{ name, since, settings: seal.openText(sealedSettings, placeOf(name)) },
        })),

      /** Outcomes since a moment, of all of them, by day. */
      dailyReportsSince: async (at: UnixMs): Promise<DailyReportDay[]> => since.all({ at }).map(dayIn),

      /** The last days of one, newest first. */
      dailyReportDays: async (name: string): Promise<DailyReportDay[]> => days.all({ name }).map(dayIn),
    };
  },

  writes: {
    putDailyReport({ sql, seal }: OperationContext, { name, settings, since }: KeptDailyReport): void {
      sql(
        `INSERT INTO daily_report (name, sealed_settings, since) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET sealed_settings = excluded.sealed_settings, since = excluded.since`,
      ).run(name, seal.sealText(settings, placeOf(name)), since);
    },

    removeDailyReport({ sql }: OperationContext, { name }: { name: string }): void {
      for (const table of ['daily_report', 'daily_report_day']) sql(`DELETE FROM ${table} WHERE name = ?`).run(name);
    },

    /** Notes what became of a day, and forgets all but the last days. */
    noteDailyReport({ sql }: OperationContext, one: DailyReportDay): void {
      sql(
        `INSERT INTO daily_report_day (name, day, state, at, attempts, why, said) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (name, day) DO UPDATE SET state = excluded.state, at = excluded.at,
             attempts = excluded.attempts, why = excluded.why, said = excluded.said`,
      ).run(...([one.name, one.day, one.state, one.at, one.attempts, one.why, codedText(one)] as const));
      sql(
        `DELETE FROM daily_report_day WHERE name = ? AND day NOT IN (
           SELECT day FROM (SELECT day FROM daily_report_day WHERE name = ? ORDER BY day DESC LIMIT ?) AS newest)`,
      ).run(one.name, one.name, keptDays);
    },
  },
};

export type DailyReportReads = ReadsOf<typeof dailyReports>;
export type DailyReportWrites = WritesOf<typeof dailyReports>;
