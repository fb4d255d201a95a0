import { foundInRegion as found } from '../../words/region-findings.ts';
import type { Finding } from '../doctor/check.ts';
import { roles } from './database-files.ts';
import { type Findings, failed, listed, ok, wordsOf } from './findings.ts';

/** Rows of one statement, on the region's database as a process reaches it. */
export type AskDatabase = (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export async function databaseFindings(ask: AskDatabase): Promise<Findings> {
  let row: Readonly<Record<string, unknown>>;
  try {
    [row] = (await ask(`SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int AS number, datcollate AS collation,
      pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()`)) as [typeof row];
  } catch (error) {
    return [failed(found('database_silent', { error: wordsOf(error) }))];
  }
  const { version, number, collation, encoding } = row as Record<string, string>;
  const findings: Finding[] = [];
  if (Number(number) < 150_000) findings.push(failed(found('database_old', { version: version! })));
  if (collation !== 'C' || encoding !== 'UTF8')
    findings.push(failed(found('database_collation', { collation: collation!, encoding: encoding! })));
  return findings.length > 0 ? findings : [ok(found('database', { version: version!, collation: collation! }))];
}

/** Settings without which the acknowledged is not on two disks, or somebody listens. */
const wantedSettings: Readonly<Record<string, RegExp>> = {
  fsync: /^on$/,
  full_page_writes: /^on$/,
  ssl: /^on$/,
  synchronous_standby_names: /./,
  data_checksums: /^on$/,
  password_encryption: /^scram-sha-256$/,
};
const inWords = (pattern: RegExp): string =>
  pattern.source === '.' ? 'a standby' : pattern.source.replace(/[\^$()]/g, '').replace('|', ' or ');

export async function settingFindings(ask: AskDatabase): Promise<Findings> {
  const names = Object.keys(wantedSettings).map(name => `'${name}'`);
  const rows = await ask(`SELECT name, setting FROM pg_settings WHERE name IN (${names.join()}) ORDER BY name`);
  const wrong = rows.filter(({ name, setting }) => !wantedSettings[String(name)]!.test(String(setting)));
  if (wrong.length === 0) return [ok(found('settings'))];
  return wrong.map(({ name, setting }) => {
    const wanted = inWords(wantedSettings[String(name)]!);
    return failed(found('setting_wrong', { setting: String(name), value: String(setting), wanted }));
  });
}

export async function roleFindings(ask: AskDatabase): Promise<Findings> {
  const [row] = (await ask(`SELECT current_user AS writer,
    (SELECT string_agg(DISTINCT pg_get_userbyid(relowner), ', ') FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')) AS owner,
    (SELECT string_agg(r, ', ') FROM pg_roles, LATERAL (VALUES (rolsuper, 'SUPERUSER'), (rolcreatedb, 'CREATEDB'),
      (rolcreaterole, 'CREATEROLE'), (rolreplication, 'REPLICATION'), (rolbypassrls, 'BYPASSRLS')) AS attribute (holds, r)
      WHERE rolname = current_user AND attribute.holds) AS attributes,
    has_schema_privilege('public', 'CREATE') AS makes,
    (SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
          AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))) AS lacking`)) as [
    { writer: string; owner: string | null; attributes: string | null; makes: boolean; lacking: string | null },
  ];
  const rights = [
    ...(row.attributes === null ? [] : [row.attributes]),
    ...(row.makes ? ['CREATE TABLE'] : []),
    ...(row.owner?.split(', ').includes(row.writer) ? ['OWNER'] : []),
  ];
  const findings: Finding[] = [];
  if (rights.length > 0) findings.push(failed(found('role_mighty', { role: row.writer, rights: listed(rights) })));
  if (row.lacking !== null) findings.push(failed(found('role_weak', { role: row.writer, tables: row.lacking })));
  return findings.length > 0 ? findings : [ok(found('roles', { writer: row.writer, owner: row.owner ?? roles.owner }))];
}
