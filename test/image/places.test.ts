import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteNeeding } from '../support/tools.ts';
import { type Places, placesOn } from './places.ts';

const mebibyte = 1 << 20;

suiteNeeding('sfdisk', 'fdisk', 'the places on a card', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-places-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const places: Places = {
    card: { at: mebibyte, bytes: 2 * mebibyte },
    A: { at: 3 * mebibyte, bytes: 2 * mebibyte },
    B: { at: 5 * mebibyte, bytes: 2 * mebibyte },
    data: { at: 7 * mebibyte, bytes: 8 * mebibyte },
  };

  /** A card of 16 MiB; the first byte of these sectors is another one. */
  function card(...damaged: number[]): string {
    const image = join(folder, `card-${damaged.join('-')}.img`);
    writeFileSync(image, '');
    truncateSync(image, 16 * mebibyte);
    const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
    const input = 'label: gpt\n1M 2M\n3M 2M\n5M 2M\n7M 8M\n'.replaceAll(/^(\S+M) (\S+M)$/gm, 'start=$1, size=$2');
    const { status, stderr } = spawnSync('sfdisk', [image], { input, env: { ...process.env, PATH }, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const file = openSync(image, 'r+');
    for (const sector of damaged) writeSync(file, Buffer.from([0xff]), 0, 1, sector * 512);
    return image;
  }

  test('are those of its partition table', async () => {
    expect(await placesOn(card())).toEqual(places);
  });

  test.each([
    ['the header', 1],
    ['an entry', 2],
  ])('are those of the copy at its end where %s at the beginning is damaged', async (_what, sector) => {
    expect(await placesOn(card(sector))).toEqual(places);
  });

  test('are not known where both tables are damaged', async () => {
    await expect(placesOn(card(2, 16 * 2048 - 1))).rejects.toThrow('neither partition table is whole');
  });
});
