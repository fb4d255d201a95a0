import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fillCheckIns } from '../support/many-checkins.ts';
import { deedMBMax, watchOwnMemory } from '../support/own-memory.ts';
import { aProduct, applied, aStore } from '../support/store.ts';

const gatehouse = process.env.GATEHOUSE_BINARY ?? fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));
const rows = 200_000;

/** Runs the program to its end; answers the most memory of its own that it held, in MB. */
function peakOf(args: readonly string[]): Promise<{ status: number | null; peakMB: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(gatehouse, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const memory = watchOwnMemory(child.pid!);
    child.once('error', reject);
    child.once('exit', status => {
      memory[Symbol.dispose]();
      resolve({ status, peakMB: memory.peakMB });
    });
  });
}

/** One entry of a zip archive, unpacked. */
function entryOf(zip: Buffer, name: string): Buffer {
  for (
    let at = zip.lastIndexOf(Buffer.from('PK\x05\x06')), next = zip.readUInt32LE(at + 16);
    zip.readUInt32LE(next) === 0x02014b50;
  ) {
    const nameBytes = zip.readUInt16LE(next + 28);
    const found = zip.toString('utf8', next + 46, next + 46 + nameBytes);
    if (found === name) {
      const local = zip.readUInt32LE(next + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return inflateRawSync(zip.subarray(from, from + zip.readUInt32LE(next + 20)), { maxOutputLength: 1 << 30 });
    }
    next += 46 + nameBytes + zip.readUInt16LE(next + 30) + zip.readUInt16LE(next + 32);
  }
  throw new Error(`${name} is not in the archive`);
}

test(`200 000 check-ins are exported as CSV and XLSX by a process with less than ${deedMBMax} MB of its own, none missing`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-export-'));
  try {
    const dataDir = join(folder, 'data');
    const opened = await aStore({ dataDir });
    await applied(opened.store, {
      products: [aProduct()],
      devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }],
    });
    await opened.store[Symbol.asyncDispose]();
    fillCheckIns(dataDir, rows);
    const exported = async (format: string) => {
      const file = join(folder, `report.${format}`);
      const { status, peakMB } = await peakOf([
        'export',
        '--what',
        'checkins',
        '--format',
        format,
        '--out',
        file,
        '--data-dir',
        dataDir,
      ]);
      expect(status).toBe(0);
      expect(peakMB).toBeGreaterThan(20);
      expect(peakMB).toBeLessThan(deedMBMax);
      return await readFile(file);
    };
    const csv = (await exported('csv')).toString('utf8').split('\r\n');
    expect(csv).toHaveLength(rows + 2);
    expect(csv[1]).toContain('"\t000002",员工 2,');
    const sheet = entryOf(await exported('xlsx'), 'xl/worksheets/sheet1.xml');
    expect(sheet.toString('latin1').split('<row>')).toHaveLength(rows + 2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
