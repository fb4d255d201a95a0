import type { UnixMs } from '../../runtime/clock.ts';
import type { Connection } from '../schema/database.ts';

/** Ids that devices report and nobody has: who they are is said once, by staff. */

/** As a device reports it: by `ext_id`, or where that is empty by employee number. */
export interface SaidId {
  readonly saidExtId: string;
  readonly saidNumber: string;
}

export interface Alias extends SaidId {
  readonly id: number;
  readonly extId: string;
  readonly name: string;
  readonly at: UnixMs;
  readonly by: string;
  readonly checkIns: number;
}

export interface AliasReads {
  /** Newest first. */
  aliases(limit: number): Promise<Alias[]>;
  /**
   * Whose an unknown id probably is: the only person whose id or number is the same but for case
   * and leading zeros.
   */
  likelyPeople(query: { said: readonly SaidId[] }): Promise<({ extId: string; name: string } | null)[]>;
}

export const aliasColumns = `SELECT a.id, a.said_ext_id AS saidExtId, a.said_number AS saidNumber, a.ext_id AS extId,
  coalesce(e.name, '') AS name, a.at, a.by,
  (SELECT count(*) FROM person_alias_checkin c WHERE c.alias_id = a.id) AS checkIns
  FROM person_alias a LEFT JOIN employee e ON e.ext_id = a.ext_id`;

interface Likely {
  readonly extId: string;
  readonly name: string;
  readonly byId: string;
  readonly byNumber: string;
}

const plain = (text: string): string => text.toLowerCase().replace(/^0+(?=.)/, '');

/** Ids that nobody has, and whose they are. */
export function aliasReads({ sql }: Connection): AliasReads {
  return {
    async aliases(limit) {
      return (sql(`${aliasColumns} ORDER BY a.id DESC LIMIT ?`).all(limit) as unknown as Alias[]).map(row => ({
        ...row,
      }));
    },

    async likelyPeople({ said }) {
      const wanted = said.map(({ saidExtId, saidNumber }) => plain(saidExtId || saidNumber));
      // One pass over all people, however many ids are asked for.
      const rows = sql(
        `SELECT * FROM (SELECT ext_id AS extId, name, lower(ltrim(ext_id, '0')) AS byId, lower(ltrim(employee_num, '0')) AS byNumber
           FROM employee WHERE ext_id IS NOT NULL) AS known
         WHERE byId IN (SELECT value FROM json_each(?1)) OR byNumber IN (SELECT value FROM json_each(?1))`,
      ).all(JSON.stringify(wanted.filter(one => one !== ''))) as unknown as Likely[];
      return wanted.map(text =>
        only(rows.filter(({ byId, byNumber }) => text !== '' && (byId === text || byNumber === text))),
      );
    },
  };
}

const only = (found: readonly Likely[]): { extId: string; name: string } | null =>
  found.length === 1 ? { extId: found[0]!.extId, name: found[0]!.name } : null;
