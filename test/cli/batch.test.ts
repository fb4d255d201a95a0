import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/index.ts';
import { type Outcome, runCommand } from '../support/command.ts';
import { pixelsOfSvg, readQr } from '../support/pictures.ts';

let folder: string;
let made: Outcome;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-batch-'));
  writeFileSync(
    join(folder, 'gatehouse.yaml'),
    'box: { vendor: ACME, product_id: HALL, model: GH2, qr_base_url: "https://qr.acme.example" }\n',
  );
  writeFileSync(join(folder, 'product.key'), 'key-of-the-product\n');
  const options = ['--first', 'gh26-0099', '--product-key-file', 'product.key', '--config', 'gatehouse.yaml'];
  made = await runCommand(['batch', '--count', '12', '--out', 'made', ...options], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(folder, 'made', name), 'utf8');
const boxes = () =>
  read('boxes.csv')
    .slice(1)
    .trim()
    .split('\r\n')
    .map(line => line.split(',').map(cell => cell.trim()));

test('each box has a folder for its card, with what no other has', () => {
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toMatch(/^made: 12 boxes, GH26-0099 to GH26-0110; /);
  const [head, ...rows] = boxes();
  expect(head).toEqual(['serial', 'device_id', 'hotspot_name', 'hotspot_password', 'setup_code', 'access_key']);
  for (const column of [0, 1, 2, 3, 4, 5]) expect(new Set(rows.map(row => row[column])).size).toBe(12);
  const [serial, , , hotspotKey, setupCode, accessKey] = rows[1]!;
  expect(parse(read(`${serial}/identity.yaml`))).toEqual({
    box: {
      product_id: 'HALL',
      device_sn: 'GH26-0100',
      access_key: accessKey,
      product_key: 'key-of-the-product',
      setup_code: setupCode,
    },
    provisioning: { hotspot_key: hotspotKey },
  });
  expect(rows[1]![2]).toBe('ACME_HALL_6-0100');
  // What a spreadsheet shows is what the box has: nothing that begins with a sign, which CSV has to
  // guard.
  for (const row of rows) for (const secret of row.slice(3)) expect(secret).toMatch(/^[A-Za-z0-9]/);
});

test('a box takes its folder from the card as it is', async () => {
  mkdirSync(join(folder, 'card'));
  writeFileSync(join(folder, 'card/identity.yaml'), read('GH26-0101/identity.yaml'));
  const places = ['--config-dir', 'config', '--data-dir', 'data', '--network-dir', 'network'];
  expect(await runCommand(['take-settings', 'card', ...places], { cwd: folder })).toMatchObject({ status: 0 });
  const { config } = loadConfig({ file: join(folder, 'config/gatehouse.yaml'), env: {}, cwd: folder });
  expect(config.box).toMatchObject({ product_id: 'HALL', device_sn: 'GH26-0101' });
});

test('the box above takes the list of them', async () => {
  const outcome = await runCommand(['apply', 'made/site.yaml', '--data-dir', 'above'], { cwd: folder });
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  expect(outcome.stdout).toContain('+ devices HALL_GH26-0110');
  expect(outcome.stdout).toContain('+ boxes HALL_GH26-0110');
});

test('the labels say all that an installer needs, and their codes are read', async () => {
  const html = read('labels.html');
  expect(html.match(/<section/g)).toHaveLength(2);
  expect(html.match(/<article/g)).toHaveLength(12);
  const [, [serial, deviceId, name, hotspotKey, setupCode] = []] = boxes();
  for (const text of [serial, deviceId, name, hotspotKey, setupCode]) expect(html).toContain(`<dd>${text}</dd>`);
  for (const words of ['设置码 Setup code', '热点 Hotspot', '序列号 Serial number']) expect(html).toContain(words);
  const [join, app] = [...html.matchAll(/<svg.*?<\/svg>/g)].map(([svg]) => svg);
  expect(await readQr(pixelsOfSvg(join!))).toBe(`WIFI:T:WPA;S:${name};P:${hotspotKey};;`);
  expect(await readQr(pixelsOfSvg(app!))).toBe(
    `https://qr.acme.example/app/gatehouse/d/${deviceId}/activate?product=HALL`,
  );
  expect(html).not.toMatch(/<script|http-equiv|src=/);
});

test('its owner alone reads it', () => {
  expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700);
  for (const entry of readdirSync(join(folder, 'made'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) expect(statSync(join(entry.parentPath, entry.name)).mode & 0o777).toBe(0o600);
});

test('without --first serial numbers are by chance, and no two end alike', async () => {
  await runCommand(['batch', '--count', '50', '--out', 'chance'], { cwd: folder });
  const names = readdirSync(join(folder, 'chance')).filter(name => /^[A-Z2-9]{10}$/.test(name));
  expect(new Set(names.map(name => name.slice(-6))).size).toBe(50);
});

test.each([
  [['--out', 'x'], 2, '--count is missing'],
  [['--count', '3'], 2, '--out is missing'],
  [['--count', '3', '--out', 'made'], 1, 'there is something in it already'],
  [['--count', '3', '--out', 'x', '--first', 'AB'], 2, 'write one that ends with digits'],
  [['--count', '3', '--out', 'x', '--first', 'A8'], 2, 'write it with more zeros in front'],
  [['--count', '3', '--out', 'x', '--first', 'A_01'], 1, 'A_01'],
  [['--count', '2001', '--out', 'x'], 2, 'from 1 to 2000'],
])('%j is refused', async (options, status, reason) => {
  const outcome = await runCommand(['batch', ...options], { cwd: folder });
  expect(outcome.status).toBe(status);
  expect(outcome.stderr).toContain(reason);
});
