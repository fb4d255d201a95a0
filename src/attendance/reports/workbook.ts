import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/**
 * A workbook of several sheets (ECMA-376), made as its rows come: what is in memory does not grow
 * with them. The library that writes reports of one sheet keeps a workbook of several in memory.
 */

/** A `Date` is shown as its UTC time: the caller has moved it to the zone. */
export type WorkbookCell = string | number | Date | null;

type NamedSheet = Pick<WorkbookSheet, 'name'>;

export interface WorkbookSheet {
  /** At most 31 characters. */
  readonly name: string;
  /** Widths in characters. */
  readonly columns: readonly { readonly header: string; readonly width: number }[];
  rows(): AsyncIterable<readonly WorkbookCell[]> | Iterable<readonly WorkbookCell[]>;
}

/** A number of 18 digits, such as that of an identity card. */
export const idWidth = 20;
/** Of a sheet of Excel, with its header. */
const sheetRowsMax = 1_048_576;

const chunkCharacters = 64 << 10;
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML cannot hold are left out. */
const escaped = (text: string): string =>
  /[\0-\x1f&<>"\ufffe\uffff]/.test(text)
    ? text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"]/g, one => escapes[one]!)
    : text;

/** Styles by their index in `styles`: text is text whatever is typed later; a moment is a date. */
const style = { text: 1, moment: 2, header: 3 } as const;
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`;

/** Readers drop blanks at both ends, unless they are told to keep them. */
const keepsBlanks = (text: string): string => (text.trim() === text ? '' : ' xml:space="preserve"');
const textCell = (text: string, as: number): string =>
  `<c t="inlineStr" s="${as}"><is><t${keepsBlanks(text)}>${escaped(text)}</t></is></c>`;

function cellOf(cell: WorkbookCell): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'string') return textCell(cell, style.text);
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  // Days since 1899-12-30.
  return `<c s="${style.moment}"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
}

/** As wide as one sheet of A4 across, as high as it is; the number of the page at the foot. */
const onPaper =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/><headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>';

/** The header stands on each page. */
const printTitles = (sheets: readonly NamedSheet[]): string =>
  `<definedNames>${sheets
    .map(
      ({ name }, index) =>
        `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${escaped(`'${name.replaceAll("'", "''")}'!$1:$1`)}</definedName>`,
    )
    .join('')}</definedNames>`;

async function* sheetXml({ columns, rows }: WorkbookSheet): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const headers = columns.map(({ header }) => textCell(header, style.header));
  let chunk = `${xml}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row>${headers.join('')}</row>`;
  for await (const row of rows()) {
    chunk += '<row>';
    for (const cell of row) chunk += cellOf(cell);
    chunk += '</row>';
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}</sheetData>${onPaper}</worksheet>`;
}

const workbookXml = (sheets: readonly NamedSheet[]): string =>
  `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets
    .map(({ name }, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets>${printTitles(sheets)}</workbook>`;

const workbookRelations = (count: number): string =>
  `${xml}<Relationships xmlns="${packages}/relationships">${Array.from(
    { length: count },
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  ).join('')}<Relationship Id="rId${count + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;

const contentTypes = (count: number): string => {
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  const sheets = Array.from({ length: count }, (_, index) => part(`worksheets/sheet${index + 1}.xml`, 'worksheet'));
  return `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook.xml', 'sheet.main')}${part('styles.xml', 'styles')}${sheets.join('')}</Types>`;
};

const rootRelations = `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** The sheets are shown in their order; their rows are read in the order of `read`. */
export async function* workbook(sheets: readonly WorkbookSheet[], read: readonly number[]): AsyncGenerator<Uint8Array> {
  const zip = new Zip();
  for (const index of read) yield* zip.entry(sheetPart(index), sheetXml(sheets[index]!));
  yield* around(zip, sheets);
}

/** One sheet, which goes on in others where it is full; `rowsMax`: of each, with its header. */
export async function* longWorkbook(sheet: WorkbookSheet, rowsMax = sheetRowsMax): AsyncGenerator<Uint8Array> {
  const zip = new Zip();
  const sheets: NamedSheet[] = [];
  const rows = aside(sheet.rows());
  try {
    let next = await rows.next();
    const part = async function* () {
      for (let row = 1; row < rowsMax && !next.done; row++) {
        yield next.value;
        next = await rows.next();
      }
    };
    do {
      const name = sheets.length === 0 ? sheet.name : `${sheet.name} ${sheets.length + 1}`;
      yield* zip.entry(sheetPart(sheets.length), sheetXml({ ...sheet, rows: part }));
      sheets.push({ name });
    } while (!next.done);
  } finally {
    await rows.return(undefined);
  }
  yield* around(zip, sheets);
}

async function* aside<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row, undefined> {
  yield* rows;
}

const sheetPart = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`;

/** The parts beside the sheets, and the end of the archive. */
async function* around(zip: Zip, sheets: readonly NamedSheet[]): AsyncGenerator<Uint8Array> {
  yield* zip.entry('xl/styles.xml', [styles]);
  yield* zip.entry('xl/workbook.xml', [workbookXml(sheets)]);
  yield* zip.entry('xl/_rels/workbook.xml.rels', [workbookRelations(sheets.length)]);
  yield* zip.entry('_rels/.rels', [rootRelations]);
  yield* zip.entry('[Content_Types].xml', [contentTypes(sheets.length)]);
  yield zip.end();
}

interface Entry {
  readonly name: Buffer;
  readonly at: number;
  crc: number;
  size: number;
  packed: number;
}

const deflated = 8;
/** A tenth larger than with the usual 6, in a fifth of the time. */
const deflateLevel = 3;
/** Sizes and checksum follow the data, and names are UTF-8. */
const flags = 0x0808;
/** 1980-01-01, so that the same rows make the same file. */
const date = 0x0021;

/** The archive around the parts (APPNOTE 6.3), each compressed as it comes. */
class Zip {
  readonly #entries: Entry[] = [];
  #at = 0;

  async *entry(name: string, texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
    const entry: Entry = { name: Buffer.from(name), at: this.#at, crc: 0, size: 0, packed: 0 };
    this.#entries.push(entry);
    yield this.#written(Buffer.concat([header(0x04034b50, entry, 'local'), entry.name]));
    const bytes = async function* () {
      for await (const text of texts) {
        const piece = Buffer.from(text);
        entry.crc = crc32(piece, entry.crc);
        entry.size += piece.length;
        yield piece;
      }
    };
    // The loop throws what fails.
    const packed = pipeline(Readable.from(bytes()), createDeflateRaw({ level: deflateLevel }), () => {});
    for await (const piece of packed as AsyncIterable<Buffer>) {
      entry.packed += piece.length;
      yield this.#written(piece);
    }
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(0x08074b50, 0);
    sizes.writeUInt32LE(entry.crc, 4);
    sizes.writeUInt32LE(entry.packed, 8);
    sizes.writeUInt32LE(entry.size, 12);
    yield this.#written(sizes);
  }

  end(): Uint8Array {
    const directory = Buffer.concat(this.#entries.flatMap(entry => [header(0x02014b50, entry, 'central'), entry.name]));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#at, 16);
    return Buffer.concat([directory, end]);
  }

  #written<Piece extends Uint8Array>(piece: Piece): Piece {
    this.#at += piece.length;
    return piece;
  }
}

function header(signature: number, { name, at, crc, size, packed }: Entry, kind: 'local' | 'central'): Buffer {
  const isCentral = kind === 'central';
  const bytes = Buffer.alloc(isCentral ? 46 : 30);
  bytes.writeUInt32LE(signature, 0);
  // In the directory the version that made it stands before the one that is needed.
  const from = isCentral ? 6 : 4;
  if (isCentral) bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(20, from);
  bytes.writeUInt16LE(flags, from + 2);
  bytes.writeUInt16LE(deflated, from + 4);
  bytes.writeUInt16LE(date, from + 8);
  if (isCentral) {
    bytes.writeUInt32LE(crc, from + 10);
    bytes.writeUInt32LE(packed, from + 14);
    bytes.writeUInt32LE(size, from + 18);
    bytes.writeUInt32LE(at, 42);
  }
  bytes.writeUInt16LE(name.length, from + 22);
  return bytes;
}
