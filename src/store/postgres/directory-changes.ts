import type { DeviceNo } from '../port/journal.ts';
import type { LiveDirectory } from '../readers/directory.ts';
import type { Connection } from '../schema/database.ts';

/** Changes kept: a process that is farther behind reads the whole directory. */
const keptChanges = 4096;
/** Old ones are removed so often: the server reads past all that it has not vacuumed yet. */
const removedEvery = 256;
/** To read more one by one takes as long as to read them all. */
const devicesMax = 5000;
/** In place of a device: a product or a box below has changed. */
const others = 0;
/** With a bound at both ends the server takes the index also before it has counted the rows. */
const noEnd = Number.MAX_SAFE_INTEGER;

/**
 * Changes of products, devices and boxes below, for processes that did not change it: a number that
 * rises in the order of commits, and the devices behind each. Unlogged: a crash of the server
 * empties it, and ends the processes that read it.
 */
export const changeTables: readonly string[] = [
  'CREATE UNLOGGED TABLE IF NOT EXISTS changed_row (no bigint NOT NULL, device_no bigint NOT NULL)',
  'CREATE INDEX IF NOT EXISTS changed_row_no ON changed_row (no)',
  // Before the statement, so that whoever has a number has the lock until the commit.
  `CREATE OR REPLACE FUNCTION directory_changed() RETURNS trigger LANGUAGE plpgsql AS 'DECLARE now bigint; BEGIN
     UPDATE directory_change SET no = no + 1 RETURNING no INTO now;
     IF now % ${removedEvery} = 0 THEN DELETE FROM changed_row WHERE no > 0 AND no < now - ${keptChanges}; END IF;
     IF TG_TABLE_NAME <> ''device'' THEN INSERT INTO changed_row (no, device_no) VALUES (now, ${others}); END IF;
     RETURN NULL; END'`,
  `CREATE OR REPLACE FUNCTION device_changed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
     INSERT INTO changed_row (no, device_no) SELECT no, coalesce(NEW.device_no, OLD.device_no) FROM directory_change;
     RETURN NULL; END'`,
];

/** The tables that the directory is read from (readers/directory.ts). */
const ofDirectory = ['product', 'device', 'box_below'];

/**
 * How far devices are forwarded stands in their rows, and moves all the time: only who forwards
 * asks for it, and reads the directory again when it begins. The address of the last login is not
 * in the directory. A migration may have added columns.
 */
export const watchDirectory = `DO $$
  DECLARE watched text; columns text;
  BEGIN
    FOREACH watched IN ARRAY ARRAY[${ofDirectory.map(table => `'${table}'`).join(', ')}] LOOP
      SELECT string_agg(quote_ident(column_name), ', ') INTO columns FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = watched
          AND column_name NOT LIKE 'forwarded%' AND column_name <> 'last_address';
      EXECUTE format('CREATE OR REPLACE TRIGGER directory_changed BEFORE INSERT OR DELETE OR UPDATE OF %s ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION directory_changed()', columns, watched);
      IF watched = 'device' THEN
        EXECUTE format('CREATE OR REPLACE TRIGGER device_changed AFTER INSERT OR DELETE OR UPDATE OF %s ON device
          FOR EACH ROW EXECUTE FUNCTION device_changed()', columns);
      END IF;
    END LOOP;
  END $$`;

/** How many triggers name what was changed: none in a database of the version before. */
export const namingTriggers = `SELECT count(*) FROM pg_trigger
  WHERE tgname = 'device_changed' AND tgrelid = to_regclass('device')`;

/** A statement that gives one of those tables a column. */
export const watchesDirectory = (statement: string): boolean =>
  ofDirectory.some(table => statement.startsWith(`ALTER TABLE "${table}" `));

interface ChangeRow {
  readonly no: number;
  readonly deviceNo: DeviceNo | typeof others | null;
}

/**
 * Brings the directory of this process up to what others have committed. What has changed is read,
 * and not the rest: fifty thousand devices take a second, in which the process does nothing else.
 */
export class DirectoryChanges {
  readonly #directory: LiveDirectory;
  readonly #since: ReturnType<Connection['sql']>;
  #no: number;

  /** `no`: as it was before the directory was read (`lastChangeNo`). */
  constructor(connection: Connection, directory: LiveDirectory, no: number) {
    this.#directory = directory;
    this.#no = no;
    this.#since = connection.sql(
      `SELECT last.no AS no, changed.device_no AS deviceNo FROM directory_change AS last
       LEFT JOIN changed_row AS changed ON changed.no > ? AND changed.no < ? LIMIT ${devicesMax + 1}`,
    );
  }

  /** The change up to which the directory was read. */
  get no(): number {
    return this.#no;
  }

  /** False: nothing has changed. Throws EngineError when the connection is gone. */
  catchUp(): boolean {
    const rows = this.#since.all(this.#no, noEnd) as unknown as ChangeRow[];
    const { no } = rows[0]!;
    if (no === this.#no) return false;
    if (rows.length > devicesMax || no - this.#no > keptChanges) this.#directory.reload();
    else {
      const changed = new Set(rows.map(({ deviceNo }) => deviceNo));
      if (changed.delete(others)) this.#directory.reloadOthers();
      changed.delete(null);
      this.#directory.reloadDevices([...changed] as DeviceNo[]);
    }
    this.#no = no;
    return true;
  }
}

export const lastChangeNo = (connection: Connection): number =>
  (connection.sql('SELECT no FROM directory_change').get() as { no: number }).no;
