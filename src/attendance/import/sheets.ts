import { createInflateRaw } from 'node:zlib';

/**
 * Facts of a workbook that the library does not tell: which sheets are visible, and which rows
 * and columns are hidden. Runs in the process that reads it, on an archive that was written here.
 */

/** Before the name of the sheet, in base64url, among the reader's arguments. */
export const sheetArgument = 'sheet:';

/** The workbook has no visible sheet of this name. */
export class NoSuchSheet extends Error {}

/** The workbook cannot be read, or has a password. */
export class DamagedWorkbook extends Error {}

/** The first message of the reader of workbooks, before the rows. */
export interface SheetFacts {
  /** The sheet that is read. */
  readonly sheet: string;
  /** The visible sheets. */
  readonly sheets: readonly string[];
  /** Hidden rows that have cells, such as `3, 5-7`. */
  readonly hiddenRows: string;
  /** Hidden columns that have cells, such as `B, D-F`. */
  readonly hiddenColumns: string;
}

interface WorkbookSheet {
  readonly name: string;
  readonly isVisible: boolean;
  /** Its part of the archive. */
  readonly part: string;
}

interface WorkbookFacts {
  readonly sheets: readonly WorkbookSheet[];
  /** Days count from 1904. */
  readonly is1904: boolean;
}

export async function workbookFacts(archive: Buffer): Promise<WorkbookFacts> {
  const { path, folder, relations } = await relationsOf(archive);
  const workbook = await textOf(archive, path);
  const sheets = tagsOf(workbook, 'sheet').flatMap((attributes): WorkbookSheet[] => {
    const relation = relations.find(({ id }) => id === attributes.get('id') && id !== undefined);
    if (!relation?.type.endsWith('/worksheet')) return [];
    const part = partOf(relation.target, folder);
    return [{ name: attributes.get('name') ?? '', isVisible: !/hidden/i.test(attributes.get('state') ?? ''), part }];
  });
  const is1904 = tagsOf(workbook, 'workbookPr').some(one => /^(1|true)$/.test(one.get('date1904') ?? ''));
  return { sheets, is1904 };
}

/**
 * Gives the parts of an archive, in place, the names by which the workbook refers to them: without
 * regard to case, as the format compares names, and with slashes for the backslashes that some
 * programs write. 1C writes `xl/SharedStrings.xml` and refers to `sharedStrings.xml`.
 */
export async function renameParts(archive: Buffer): Promise<void> {
  const rename = (nameOf: (name: string) => string | undefined): void => {
    for (const { name, nameAt } of entriesIn(archive)) {
      const next = nameOf(name) ?? name;
      const fits = next !== name && Buffer.byteLength(next) === Buffer.byteLength(name);
      for (const at of fits ? nameAt : []) archive.write(next, at);
    }
  };
  rename(name => name.replaceAll('\\', '/'));
  const { folder, relations } = await relationsOf(archive);
  const wanted = new Map(relations.map(({ target }) => [partOf(target, folder).toLowerCase(), partOf(target, folder)]));
  rename(name => wanted.get(name.toLowerCase()));
}

const partOf = (target: string, folder: string): string => (target.startsWith('/') ? target.slice(1) : folder + target);

async function relationsOf(archive: Buffer) {
  const root = relationsIn(await textOf(archive, '_rels/.rels'));
  const path = partOf(root.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? '', '');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relations = relationsIn(await textOf(archive, `${folder}_rels/${path.slice(folder.length)}.rels`));
  return { path, folder, relations };
}

/** Numbers of the hidden rows and columns of a sheet, from 1. */
interface Hidden {
  readonly rows: ReadonlySet<number>;
  readonly columns: ReadonlySet<number>;
}

/** Columns of a sheet, by the format. */
const sheetColumnsMax = 16_384;

export async function hiddenIn(archive: Buffer, part: string): Promise<Hidden> {
  const rows = new Set<number>();
  const columns = new Set<number>();
  let row = 0;
  let text = '';
  for await (const chunk of piecesOf(archive, part)) {
    text += chunk.toString('latin1');
    // Columns stand before all rows.
    for (const attributes of row === 0 ? tagsOf(text, 'col') : []) {
      if (!isHidden(attributes, 'width')) continue;
      const [first, last] = [Number(attributes.get('min')), Number(attributes.get('max'))];
      for (let one = first; one <= Math.min(last, sheetColumnsMax); one++) columns.add(one);
    }
    for (const attributes of tagsOf(text, 'row')) {
      row = Number(attributes.get('r') ?? row + 1);
      if (isHidden(attributes, 'ht')) rows.add(row);
    }
    text = text.slice(Math.max(text.lastIndexOf('<'), text.length - tagCharactersMax));
    if (text.includes('>')) text = '';
  }
  return { rows, columns };
}

/** Hidden by name, or of no size. */
const isHidden = (attributes: ReadonlyMap<string, string>, size: 'width' | 'ht'): boolean =>
  /^(1|true)$/.test(attributes.get('hidden') ?? '') || Number(attributes.get(size) ?? 1) === 0;

/** Of a tag that is cut by the end of a piece. */
const tagCharactersMax = 4096;

/** `3, 5-7`, of numbers in order. */
export function rangesOf(numbers: readonly number[], nameOf: (one: number) => string = String): string {
  const ranges: [number, number][] = [];
  for (const one of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === one - 1) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([from, to]) => (from === to ? nameOf(from) : `${nameOf(from)}-${nameOf(to)}`)).join(', ');
}

/** 1 is `A`, 27 is `AA`. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(0x41 + ((column - 1) % 26));
  return column > 26 ? columnLetters(Math.floor((column - 1) / 26)) + last : last;
}

const relationsIn = (xml: string) =>
  tagsOf(xml, 'Relationship').map(one => ({
    ...{ id: one.get('Id'), type: one.get('Type') ?? '', target: one.get('Target') ?? '' },
  }));

/** The attributes of each whole element of this name, by their names without a prefix. */
function tagsOf(xml: string, name: string): ReadonlyMap<string, string>[] {
  return xml.split('<').flatMap(piece => {
    const end = piece.indexOf('>');
    const [element] = piece.slice(0, end).split(/[\s/]/, 1);
    if (end < 0 || withoutPrefix(element!) !== name) return [];
    const found = piece.slice(0, end).matchAll(/([\w:.-]{1,64})=("[^"]*"|'[^']*')/g);
    return [
      new Map(Array.from(found, ([, key, value]) => [withoutPrefix(key!), withoutEntities(value!.slice(1, -1))])),
    ];
  });
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name
      ? (entities[name] ?? whole)
      : String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(decimal ?? hex, hex ? 16 : 10))),
  );

async function textOf(archive: Buffer, part: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of piecesOf(archive, part)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Throws where the part is missing, or is UTF-16, which the library takes for an empty one. */
async function* piecesOf(archive: Buffer, part: string): AsyncGenerator<Buffer> {
  const found = entriesIn(archive).find(({ name }) => name === part);
  if (!found) throw new Error(`${part} is missing`);
  let isFirst = true;
  for await (const piece of found.isPacked ? inflated(found.bytes) : [found.bytes]) {
    if (isFirst && /^(\xff\xfe|\xfe\xff)/.test(piece.toString('latin1', 0, 2))) throw new Error(`${part} is UTF-16`);
    isFirst = false;
    yield piece;
  }
}

function inflated(bytes: Buffer): AsyncIterable<Buffer> {
  const inflate = createInflateRaw();
  inflate.end(bytes);
  return inflate;
}

/** `nameAt`: where the name stands, in the directory and before the bytes. */
function entriesIn(archive: Buffer) {
  const end = archive.length - 22;
  const entries: { name: string; nameAt: readonly number[]; bytes: Buffer; isPacked: boolean }[] = [];
  for (let at = archive.readUInt32LE(end + 16), left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42) + 30;
    const data = local + nameLength;
    entries.push({
      name: archive.subarray(at + 46, at + 46 + nameLength).toString(),
      nameAt: [at + 46, local],
      bytes: archive.subarray(data, data + archive.readUInt32LE(at + 20)),
      isPacked: archive.readUInt16LE(at + 10) !== 0,
    });
    at += 46 + nameLength;
  }
  return entries;
}
