import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { BoxBelow, Device } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { LiveDirectory } from '../readers/directory.ts';
import type { Connection } from '../schema/database.ts';
import { boxBelow, device, furthest, product, readDevice, readProduct } from '../schema/devices.ts';
import type { Seal } from '../schema/sealing.ts';
import type { Value } from './bridge-messages.ts';
import type { MainReads } from './main-reads.ts';

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

const sinceQuery = `SELECT last.no AS no, changed.device_no AS "deviceNo" FROM directory_change AS last
  LEFT JOIN changed_row AS changed ON changed.no > $1 AND changed.no < $2 LIMIT ${devicesMax + 1}`;

type DeviceRow = typeof device.$inferSelect;

/** Rows of a table as its columns are called in the program. `rest`: of the statement. */
async function rowsOf<Row>(
  reads: MainReads,
  table: SQLiteTable,
  rest: string,
  ...values: (Value | readonly number[])[]
): Promise<Row[]> {
  const columns = Object.entries(getTableColumns(table));
  const text = `SELECT ${columns.map(([, { name }]) => `"${name}"`).join(', ')} FROM "${getTableName(table)}" ${rest}`;
  const rows = await reads.rows<Record<string, Value>>({ name: `${getTableName(table)} ${rest}`, text, values });
  const read = (dataType: string, value: Value) => (dataType === 'boolean' ? value === 1 : value);
  return rows.map(
    row => Object.fromEntries(columns.map(([key, column]) => [key, read(column.dataType, row[column.name]!)])) as Row,
  );
}

/** Cursors of the forwarder only rise, and may have risen since the row was read. */
const withCursors = (read: Device, known: Device | undefined): Device =>
  known === undefined
    ? read
    : {
        ...read,
        forwardedSeq: furthest(read.forwardedSeq, known.forwardedSeq),
        forwarded: {
          device: furthest(read.forwarded.device, known.forwarded.device),
          log: furthest(read.forwarded.log, known.forwarded.log),
        },
      };

/**
 * Brings the directory of this process up to what others have committed. What has changed is read,
 * and not the rest: fifty thousand devices take a second. One reading follows the other.
 */
export class DirectoryChanges {
  readonly #directory: LiveDirectory;
  readonly #reads: MainReads;
  readonly #seal: Seal;
  #no: number;
  #last: Promise<unknown> = Promise.resolve();
  /** Has not begun yet. */
  #next: Promise<boolean> | null = null;
  /** Devices that this process has changed since a reading began: what was read may be older. */
  #put: Set<DeviceNo> | null = null;

  /** `no`: as it was before the directory was read (`lastChangeNo`). */
  constructor(reads: MainReads, seal: Seal, directory: LiveDirectory, no: number) {
    this.#reads = reads;
    this.#seal = seal;
    this.#directory = directory;
    this.#no = no;
    directory.onChange(changed => changed && this.#put?.add(changed.deviceNo));
  }

  /** The change up to which the directory was read. */
  get no(): number {
    return this.#no;
  }

  /**
   * Resolves when all that was committed before the call is in the directory; to false: nothing has
   * changed. Rejects with a StoreError (`closed`).
   */
  catchUp(): Promise<boolean> {
    this.#next ??= this.#afterOthers(() => {
      this.#next = null;
      return this.#catchUp();
    });
    return this.#next;
  }

  /** The same for all rows, the cursors of the forwarder with them. */
  reload(): Promise<void> {
    return this.#afterOthers(() => this.#readAll());
  }

  #afterOthers<Result>(act: () => Promise<Result>): Promise<Result> {
    const running = this.#last.then(act);
    this.#last = running.catch(() => {});
    return running;
  }

  async #catchUp(): Promise<boolean> {
    const rows = await this.#reads.rows<ChangeRow>({ name: 'changes', text: sinceQuery, values: [this.#no, noEnd] });
    const { no } = rows[0]!;
    if (no === this.#no) return false;
    if (rows.length > devicesMax || no - this.#no > keptChanges) await this.#readAll();
    else {
      const changed = new Set(rows.map(({ deviceNo }) => deviceNo));
      if (changed.delete(others)) this.#directory.replaceOthers(await this.#others());
      changed.delete(null);
      await this.#readDevices([...changed] as DeviceNo[]);
    }
    this.#no = no;
    return true;
  }

  async #others() {
    const [products, boxesBelow] = await Promise.all([
      rowsOf<typeof product.$inferSelect>(this.#reads, product, 'ORDER BY rowid'),
      rowsOf<BoxBelow>(this.#reads, boxBelow, 'ORDER BY rowid'),
    ]);
    return { products: products.map(row => readProduct(row, this.#seal)), boxesBelow };
  }

  async #readAll(): Promise<void> {
    const put = this.#begin();
    const others = await this.#others();
    const rows = await rowsOf<DeviceRow>(this.#reads, device, 'ORDER BY device_no');
    this.#put = null;
    const known = (deviceNo: DeviceNo) => this.#directory.deviceByNo(deviceNo);
    const devices = rows.map(row => {
      const own = known(row.deviceNo);
      return own && put.has(row.deviceNo) ? own : withCursors(readDevice(row, this.#seal), own);
    });
    const read = new Set(rows.map(({ deviceNo }) => deviceNo));
    for (const deviceNo of put) if (!read.has(deviceNo)) devices.push(known(deviceNo)!);
    this.#directory.replace({ ...others, devices });
    await this.#readDevices([...put]);
  }

  /** Again and again for those that this process changes meanwhile. */
  async #readDevices(wanted: readonly DeviceNo[]): Promise<void> {
    for (let deviceNos = wanted; deviceNos.length > 0; ) {
      const put = this.#begin();
      const rows = await rowsOf<DeviceRow>(this.#reads, device, 'WHERE device_no = ANY($1::bigint[])', deviceNos);
      this.#put = null;
      const found = new Map(rows.map(row => [row.deviceNo, row]));
      for (const deviceNo of deviceNos) {
        const row = found.get(deviceNo);
        if (put.has(deviceNo)) continue;
        if (row) this.#directory.put(withCursors(readDevice(row, this.#seal), this.#directory.deviceByNo(deviceNo)));
        else this.#directory.remove(deviceNo);
      }
      deviceNos = deviceNos.filter(deviceNo => put.has(deviceNo));
    }
  }

  #begin(): Set<DeviceNo> {
    this.#put = new Set();
    return this.#put;
  }
}

export const lastChangeNo = (connection: Connection): number =>
  (connection.sql('SELECT no FROM directory_change').get() as { no: number }).no;
