import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';

/**
 * An access code that was handed to an employee and is not used yet: one for each person, the
 * newest. Only its fingerprint is stored.
 */
export const accessCode = sqliteTable('access_code', {
  /** The `id` of the employee. */
  employeeId: integer('employee_id').primaryKey(),
  fingerprint: text().notNull().unique(),
  madeAt: integer('made_at').notNull(),
  endsAt: integer('ends_at').notNull(),
});

/** A browser in which an employee opened "My attendance". Only the hash of its secret is stored. */
export const ownSession = sqliteTable(
  'own_session',
  {
    idHash: text('id_hash').primaryKey(),
    /** The `id` of the employee. */
    employeeId: integer('employee_id').notNull(),
    openedAt: integer('opened_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    endsAt: integer('ends_at').notNull(),
  },
  table => [index('own_session_by_employee').on(table.employeeId)],
);

/** A month that an employee has confirmed, the last time. */
export const monthConfirmation = sqliteTable(
  'month_confirmation',
  {
    /** The `id` of the employee. */
    employeeId: integer('employee_id').notNull(),
    /** `2026-11`. */
    month: text().notNull(),
    at: integer().notNull(),
    /** SHA-256 of what was confirmed. */
    digest: text().notNull(),
  },
  table => [primaryKey({ columns: [table.employeeId, table.month] })],
);

/** An employee who is there under an external id, and has not left. */
export interface OwnPagePerson {
  readonly extId: string;
  readonly name: string;
  readonly employeeNum: string;
  readonly department: string;
}

export interface OwnSession extends OwnPagePerson {
  readonly seenAt: UnixMs;
  readonly endsAt: UnixMs;
}

/** How an employee gets to "My attendance" at the moment. */
export interface OwnAccess {
  /** Until when the code that was handed out can be used; null: there is none. */
  readonly codeEndsAt: UnixMs | null;
  /** Browsers that are signed in. */
  readonly sessions: number;
  readonly seenAt: UnixMs | null;
}

/** Browsers of one person; the one that was seen longest ago makes way. */
export const ownSessionsMax = 5;

/** `missing`: who is not there, or has left; then no code was kept. */
export type AccessCodesOutcome =
  | { readonly ok: true; readonly people: readonly OwnPagePerson[] }
  | { readonly ok: false; readonly missing: readonly string[] };

/** `e`: the employee, `d`: the department. */
const personColumns = 'e.ext_id AS "extId", e.name, e.employee_num AS "employeeNum", d.name AS department';

/** `?1`: today, at the site. */
const present = `e.ext_id IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM employment m WHERE m.ext_id = e.ext_id AND m.to_date IS NOT NULL AND m.to_date < ?1)`;

const codePurpose = 'access code';

function reads({ connection: { sql, seal } }: Reading) {
  return {
    /** A session whose times its caller judges; null: it was ended, or its person has left. */
    async ownSession({ idHash, today }: { idHash: string; today: DateText }): Promise<OwnSession | null> {
      const row = sql(
        `SELECT ${personColumns}, s.seen_at AS "seenAt", s.ends_at AS "endsAt"
         FROM own_session s JOIN employee e ON e.id = s.employee_id JOIN department d ON d.id = e.department_id
         WHERE s.id_hash = ?2 AND ${present}`,
      ).get(today, idHash);
      return (row as OwnSession | undefined) ?? null;
    },

    /** Whether a code can be used; so that a wrong one costs no write. */
    async hasAccessCode({ code, at }: { code: string; at: UnixMs }): Promise<boolean> {
      const print = seal.fingerprint(codePurpose, code);
      return sql('SELECT 1 FROM access_code WHERE fingerprint = ? AND ends_at > ?').get(print, at) !== undefined;
    },

    /** Whether a check-in, by the id that callers see, is one of this person. */
    async isOwnCheckIn({ extId, checkIn }: { extId: string; checkIn: number }): Promise<boolean> {
      const found = sql(
        `SELECT 1 FROM employee e JOIN checkin k ON k.employee_id = e.id
         WHERE e.ext_id = ? AND coalesce(k.shown_id, k.id) = ?`,
      ).get(extId, checkIn);
      return found !== undefined;
    },

    /** Confirmation of a month; null: there is none. */
    async monthConfirmation({
      extId,
      month,
    }: {
      extId: string;
      month: string;
    }): Promise<{ readonly at: UnixMs; readonly digest: string } | null> {
      const row = sql(
        `SELECT c.at, c.digest FROM employee e JOIN month_confirmation c ON c.employee_id = e.id
         WHERE e.ext_id = ? AND c.month = ?`,
      ).get(extId, month);
      return (row as { at: UnixMs; digest: string } | undefined) ?? null;
    },

    /** Access of a person; null: nobody has this id. */
    async ownAccess({ extId, at }: { extId: string; at: UnixMs }): Promise<OwnAccess | null> {
      const row = sql(
        `SELECT (SELECT ends_at FROM access_code c WHERE c.employee_id = e.id AND c.ends_at > ?2) AS "codeEndsAt",
           (SELECT count(*) FROM own_session s WHERE s.employee_id = e.id AND s.ends_at > ?2) AS sessions,
           (SELECT max(seen_at) FROM own_session s WHERE s.employee_id = e.id) AS "seenAt"
         FROM employee e WHERE e.ext_id = ?1`,
      ).get(extId, at);
      return (row as OwnAccess | undefined) ?? null;
    },
  };
}

/** Session ids are passed as their SHA-256. */
const writes = {
  /**
   * Keeps a code for each of these people in place of one that is not used yet. All or none.
   */
  makeAccessCodes(
    context: OperationContext,
    {
      codes,
      today,
      at,
      endsAt,
    }: {
      readonly codes: readonly { readonly extId: string; readonly code: string }[];
      readonly today: DateText;
      readonly at: UnixMs;
      readonly endsAt: UnixMs;
    },
  ): AccessCodesOutcome {
    const { sql } = context;
    const find = sql(
      `SELECT e.id, ${personColumns} FROM employee e JOIN department d ON d.id = e.department_id
       WHERE e.ext_id = ?2 AND ${present}`,
    );
    const found = codes.flatMap(({ extId, code }) => {
      const row = find.get(today, extId) as (OwnPagePerson & { id: number }) | undefined;
      return row ? [{ ...row, code }] : [];
    });
    const there = new Set(found.map(({ extId }) => extId));
    const missing = codes.map(({ extId }) => extId).filter(extId => !there.has(extId));
    if (missing.length > 0) return { ok: false, missing };
    const put = sql(
      `INSERT INTO access_code (employee_id, fingerprint, made_at, ends_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (employee_id) DO UPDATE
         SET fingerprint = excluded.fingerprint, made_at = excluded.made_at, ends_at = excluded.ends_at`,
    );
    for (const { id, code } of found) put.run(id, context.seal.fingerprint(codePurpose, code), at, endsAt);
    return { ok: true, people: found.map(({ id: _id, code: _code, ...person }) => person) };
  },

  /** Uses up a code. Returns whose it was; null: there is no such code, or its person has left. */
  openOwnSession(
    context: OperationContext,
    {
      code,
      idHash,
      today,
      at,
      endsAt,
    }: {
      readonly code: string;
      readonly idHash: string;
      readonly today: DateText;
      readonly at: UnixMs;
      readonly endsAt: UnixMs;
    },
  ): string | null {
    const { sql } = context;
    const found = sql(
      `SELECT e.id, e.ext_id AS "extId" FROM access_code c JOIN employee e ON e.id = c.employee_id
       WHERE c.fingerprint = ?2 AND c.ends_at > ?3 AND ${present}`,
    ).get(today, context.seal.fingerprint(codePurpose, code), at) as { id: number; extId: string } | undefined;
    if (!found) return null;
    sql('DELETE FROM access_code WHERE employee_id = ?').run(found.id);
    sql('INSERT INTO own_session (id_hash, employee_id, opened_at, seen_at, ends_at) VALUES (?, ?, ?, ?, ?)').run(
      idHash,
      found.id,
      at,
      at,
      endsAt,
    );
    sql(
      `DELETE FROM own_session WHERE employee_id = ?1 AND id_hash NOT IN
         (SELECT id_hash FROM own_session WHERE employee_id = ?1 ORDER BY seen_at DESC, opened_at DESC LIMIT ?2)`,
    ).run(found.id, ownSessionsMax);
    return found.extId;
  },

  seeOwnSession({ sql }: OperationContext, { idHash, at }: { idHash: string; at: UnixMs }): void {
    sql('UPDATE own_session SET seen_at = ? WHERE id_hash = ?').run(at, idHash);
  },

  endOwnSession({ sql }: OperationContext, { idHash }: { idHash: string }): void {
    sql('DELETE FROM own_session WHERE id_hash = ?').run(idHash);
  },

  /** Ends every session of a person, and the code. Returns whether there was any of them. */
  revokeOwnAccess({ sql }: OperationContext, { extId }: { extId: string }): boolean {
    const of = 'employee_id = (SELECT id FROM employee WHERE ext_id = ?)';
    const codes = Number(sql(`DELETE FROM access_code WHERE ${of}`).run(extId).changes);
    return Number(sql(`DELETE FROM own_session WHERE ${of}`).run(extId).changes) + codes > 0;
  },

  /** Replaces an earlier confirmation of the month. */
  confirmMonth(
    { sql }: OperationContext,
    { extId, month, digest, at }: { extId: string; month: string; digest: string; at: UnixMs },
  ): void {
    sql(
      `INSERT INTO month_confirmation (employee_id, month, at, digest)
       SELECT id, ?2, ?3, ?4 FROM employee WHERE ext_id = ?1
       ON CONFLICT (employee_id, month) DO UPDATE SET at = excluded.at, digest = excluded.digest`,
    ).run(extId, month, at, digest);
  },

  /** Deletes what has ended, and what was of people who are deleted. */
  retireOwnAccess({ sql }: OperationContext, { at, seenBefore }: { at: UnixMs; seenBefore: UnixMs }): void {
    const gone = 'employee_id NOT IN (SELECT id FROM employee)';
    sql(`DELETE FROM month_confirmation WHERE ${gone}`).run();
    sql(`DELETE FROM access_code WHERE ends_at <= ? OR ${gone}`).run(at);
    sql(`DELETE FROM own_session WHERE ends_at <= ? OR seen_at < ? OR ${gone}`).run(at, seenBefore);
  },
};

/**
 * How employees open "My attendance": the codes that they are handed, and the browsers that used
 * one.
 */
export const ownPages = { reads, writes };

export type OwnPageStore = PartOf<typeof ownPages>;
export type OwnPageReads = ReadsOf<typeof ownPages>;
export type OwnPageWrites = WritesOf<typeof ownPages>;
