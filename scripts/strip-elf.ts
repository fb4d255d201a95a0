/**
 * Removes the symbol table and the debug sections, which no loader reads, from a 64-bit
 * little-endian ELF executable of any architecture. `strip` does the same, but needs binutils for
 * each architecture, and each version writes different bytes.
 */
export function stripElf(elf: Buffer): Buffer {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1)
    throw new Error('not a 64-bit little-endian ELF file');
  const table = Number(elf.readBigUInt64LE(header.sectionTable));
  const size = elf.readUInt16LE(header.sectionSize);
  const count = elf.readUInt16LE(header.sectionCount);
  const all = Array.from({ length: count }, (_, index) =>
    elf.subarray(table + index * size, table + (index + 1) * size),
  );
  const names = all[elf.readUInt16LE(header.namesIndex)]!;
  // Index 0 is the empty section that every table begins with.
  const kept = all.filter((one, index) => index === 0 || (one.readBigUInt64LE(section.flags) & isLoaded) !== 0n);
  const end = Math.max(...loadedEnds(elf), ...kept.map(endOf));

  const nameBytes = [Buffer.from([0])];
  let namesLength = 1;
  const nameAt = (name: string): number => {
    const at = namesLength;
    nameBytes.push(Buffer.from(`${name}\0`));
    namesLength += name.length + 1;
    return at;
  };
  const headers = kept.map((one, index) => {
    const copy = Buffer.from(one);
    if (index === 0) return copy;
    copy.writeUInt32LE(nameAt(nameOf(elf, names, one)), section.name);
    for (const field of one.readBigUInt64LE(section.flags) & pointsAtSection
      ? [section.link, section.info]
      : [section.link])
      copy.writeUInt32LE(Math.max(0, kept.indexOf(all[one.readUInt32LE(field)]!)), field);
    return copy;
  });
  const ownName = nameAt('.shstrtab');
  const stringTable = Buffer.alloc(size);
  stringTable.writeUInt32LE(ownName, section.name);
  stringTable.writeUInt32LE(typeStrings, section.type);
  stringTable.writeBigUInt64LE(BigInt(end), section.offset);
  stringTable.writeBigUInt64LE(BigInt(namesLength), section.size);
  stringTable.writeBigUInt64LE(1n, section.alignment);

  const tableAt = Math.ceil((end + namesLength) / 8) * 8;
  const stripped = Buffer.alloc(tableAt + (headers.length + 1) * size);
  elf.copy(stripped, 0, 0, end);
  Buffer.concat(nameBytes).copy(stripped, end);
  Buffer.concat([...headers, stringTable]).copy(stripped, tableAt);
  stripped.writeBigUInt64LE(BigInt(tableAt), header.sectionTable);
  stripped.writeUInt16LE(headers.length + 1, header.sectionCount);
  stripped.writeUInt16LE(headers.length, header.namesIndex);
  return stripped;
}

const header = {
  programTable: 32,
  sectionTable: 40,
  programSize: 54,
  programCount: 56,
  sectionSize: 58,
  sectionCount: 60,
  namesIndex: 62,
} as const;
const section = { name: 0, type: 4, flags: 8, offset: 24, size: 32, link: 40, info: 44, alignment: 48 } as const;
const typeStrings = 3;
const typeNothingInFile = 8;
const isLoaded = 2n;
const pointsAtSection = 0x40n;

const endOf = (one: Buffer): number =>
  Number(one.readBigUInt64LE(section.offset)) +
  (one.readUInt32LE(section.type) === typeNothingInFile ? 0 : Number(one.readBigUInt64LE(section.size)));

/** Where the parts that the loader maps end in the file. */
function loadedEnds(elf: Buffer): number[] {
  const table = Number(elf.readBigUInt64LE(header.programTable));
  const size = elf.readUInt16LE(header.programSize);
  return Array.from({ length: elf.readUInt16LE(header.programCount) }, (_, index) => {
    const one = table + index * size;
    return Number(elf.readBigUInt64LE(one + 8)) + Number(elf.readBigUInt64LE(one + 32));
  });
}

function nameOf(elf: Buffer, names: Buffer, one: Buffer): string {
  const at = Number(names.readBigUInt64LE(section.offset)) + one.readUInt32LE(section.name);
  return elf.toString('latin1', at, elf.indexOf(0, at));
}
