import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileRefused, readSiteFile, siteProblems, writeSite } from '../../src/config/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string) => {
  writeFileSync(join(folder, 'site.yaml'), text);
  return readSiteFile('site.yaml', folder);
};
const refusal = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof FileRefused) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
};

const contractExample = `
products:
  - { product_id: FACE-T1, product_key: s3cret, name: Face terminal, model: FT1, access: both }
devices:
  - { device_id: FACE-T1_A0001, name: North gate, access_key: only-after-activation }
apps:
  - { app_id: hr-portal, app_key: k1, name: HR portal }
boxes:
  - { box_id: GATEHOUSE_000002, name: Hall 2, devices: [FACE-T1_B0001] }
attendance_callers:
  - { app_key: ak1, app_secret: as1, name: Payroll }
oauth_clients:
  - { client_id: c1, client_secret: cs1, name: Canteen, logo_url: "https://x", redirect_uris: ["https://canteen.local/cb"] }
users:
  - { name: mei, password: file:./mei.pw, role: staff, headimgurl: "" }
departments:
  - { ext_id: "0", name: Plant 4 }
  - { ext_id: d1, name: Assembly, p_ext_id: "0" }
employees:
  - { ext_id: e1, name: Li Mei, mobile: "13800000000", employee_num: "1001", department: { ext_id: d1, title: Fitter } }
app_upgrades:
  - { app_code: panel, version: 1.2.0, url: "https://x", checksum: "c", size: 1, min_platform_version: 8.0, max_platform_version: 14.0, description: d, upgrade_type: normal }
message_templates:
  - { template: late, title: "Late", body: "{{name}} came at {{time}}" }
`;

test('the example of the contract is read, the password from its file', () => {
  writeFileSync(join(folder, 'mei.pw'), 'correct horse\n');
  const { site } = read(contractExample);
  expect(site.users?.[0]?.password).toBe('correct horse');
  expect(site.employees?.[0]?.department).toEqual({ ext_id: 'd1', title: 'Fitter' });
  expect(site.app_upgrades?.[0]?.version).toBe('1.2.0');
  writeFileSync(join(folder, 'again.yaml'), writeSite(site));
  expect(readSiteFile('again.yaml', folder).site).toEqual(site);
});

test.each([
  [
    'products:\n  - { product_id: FACE T1, product_key: x }\n',
    'site.yaml:2:19 products[0].product_id "FACE T1": no product_id: at most 16 digits, upper-case letters and hyphens',
  ],
  [
    'products:\n  - { product_id: A, product_key: x }\n  - { product_id: a, product_key: y }\n',
    'site.yaml:3:19 products[1].product_id "a": duplicate of products[0]: keep one of them',
  ],
  [
    'products:\n  - { product_id: A, product_key: x, acces: both }\n',
    'site.yaml:2:38 products[0].acces: unknown key; did you mean "access"?',
  ],
  ['product:\n  - { product_id: A, product_key: x }\n', 'site.yaml:1:1 product: unknown key; did you mean "products"?'],
  [
    'departments:\n  - { ext_id: "0", name: P }\nemployees:\n  - { ext_id: e1, name: Li, department: { ext_id: d9 } }\n',
    'site.yaml:4:51 employees[0].department.ext_id "d9": no such department',
  ],
  [
    'departments:\n  - { ext_id: 0, name: P }\n',
    'site.yaml:2:15 departments[0].ext_id "0": YAML reads a number here: put it in quotes, so that it stays text as written',
  ],
  [
    'employees:\n  - { ext_id: e1, name: 李李李李李李李李李李李李李李李李李李李李李李李李李李李李李李李, department: { ext_id: d } }\n',
    /^site\.yaml:2:\d+ employees\[0\]\.name ".*": 31 characters: at most 30 are allowed$/,
  ],
  [
    'departments:\n  - { ext_id: a, name: A, p_ext_id: b }\n  - { ext_id: b, name: B, p_ext_id: a }\n',
    /^site\.yaml:2:37 departments\[0\]\.p_ext_id "b": a department cannot be its own parent\nsite\.yaml:3:37 departments\[1\]/,
  ],
  [
    'products: []\ndevices:\n  - { device_id: B_1 }\n',
    'site.yaml:3:18 devices[0].device_id "B_1": no such product: add B under products',
  ],
  [
    'users:\n  - { name: mei, password: file:mei.pw, role: boss }\n',
    /^site\.yaml:2:28 users\[0\]\.password: cannot read .*mei\.pw: there is no such file\nsite\.yaml:2:47 users\[0\]\.role "boss": write admin, staff, viewer or none$/,
  ],
  [
    'employees:\n  - e1\n',
    'site.yaml:2:5 employees[0] "e1": not a map: write its keys: ext_id, name, mobile, employee_num, department, department_since, from, to, earlier',
  ],
  [
    'products:\n  - { product_id: A, product_key: x }\nboxes:\n  - { box_id: hall-2 }\n  - { box_id: G_1, devices: [A_1, B_1] }\n  - { box_id: g_1, device: A_1 }\n',
    /^site\.yaml:4:15 boxes\[0\]\.box_id "hall-2": no box id: .*\nsite\.yaml:6:20 boxes\[2\]\.device: unknown key; did you mean "devices"\?$/,
  ],
  [
    'products:\n  - { product_id: A, product_key: x }\nboxes:\n  - { box_id: G_1, devices: [A_1, B_1] }\n  - { box_id: g_1 }\n  - { box_id: G_2, devices: [a_1] }\n',
    [
      'site.yaml:4:35 boxes[0].devices[1] "B_1": no such product: add B under products',
      'site.yaml:5:15 boxes[1].box_id "g_1": duplicate of boxes[0]: keep one of them',
      'site.yaml:6:30 boxes[2].devices[0] "a_1": listed behind G_1 already: a device stands behind one box',
    ].join('\n'),
  ],
  [
    'boxes:\n  - { box_id: G_1, devices: A_1 }\n',
    /^site\.yaml:2:29 boxes\[0\]\.devices "A_1": not a list: write its entries under it/,
  ],
  [
    'products:\n  - { product_id: A, product_key: x, discovery: nfc, network_configuration: blutooth, app_supported: perhaps }\n',
    [
      'site.yaml:2:49 products[0].discovery "nfc": write qr, broadcast or both',
      'site.yaml:2:77 products[0].network_configuration "blutooth": write bluetooth, hotspot, both or none; did you mean "bluetooth"?',
      'site.yaml:2:102 products[0].app_supported "perhaps": write true or false',
    ].join('\n'),
  ],
  [
    'products:\n  - { product_id: A, product_key: x, attributes: [grey] }\n',
    'site.yaml:2:50 products[0].attributes: not a map: write each attribute as name: value',
  ],
  [
    'products:\n  - { product_id: A, product_key: x, attributes: { size: 7, "a/b": c } }\n',
    /^site\.yaml:2:58 products\[0\]\.attributes\.size "7": YAML reads a number here: put it in quotes/,
  ],
  [
    'products:\n  - { product_id: A, product_key: x, network_configuration: none, network_configuration_flow: hold the key }\n',
    'site.yaml:2:95 products[0].network_configuration_flow "hold the key": network_configuration: none has no flow: write bluetooth, hotspot or both, or network_configuration_flow: ""',
  ],
  ['employees:\n  ext_id: e1\n', 'site.yaml:2:3 employees: not a list: write its entries under it, each after "- "'],
])('%j is refused with its place', (text, expected) => {
  const said = refusal(text);
  if (typeof expected === 'string') expect(said).toBe(expected);
  else expect(said).toMatch(expected);
});

test('a secret that is wrong is not quoted', () => {
  const client = (rest: string) =>
    refusal(`oauth_clients:\n  - { client_id: kiosk, redirect_uris: ["https://kiosk.example/cb"], ${rest} }\n`);
  expect(client('public: true, client_secret: made-up')).toContain('the client is public, and has no secret');
  expect(refusal(`users:\n  - { name: mei, password: hunter2, role: staff }\n`)).toBe(
    'site.yaml:2:28 users[0].password: too short: at least 8 characters',
  );
  expect(refusal('products:\n  - { product_id: A, product_key: 12345 }\n')).not.toContain('12345');
  expect(refusal('apps:\n  - { app_id: A, app_key: 12345 }\n')).not.toContain('12345');
});

test('what the box holds counts for references, and what it does not hold needs its key', () => {
  const { site, refused } = read(
    'devices:\n  - { device_id: A_1 }\nproducts:\n  - { product_id: A }\nemployees:\n  - { ext_id: e, name: E, department: { ext_id: d } }\n',
  );
  const rules = { prune: false, production: false };
  expect(siteProblems(site, { products: [{ product_id: 'A' }], departments: [{ ext_id: 'd' }] }, rules)).toEqual([]);
  expect(refused(siteProblems(site, {}, rules)).message).toBe(
    'site.yaml:4:5 products[0].product_key: missing: the box does not hold this entry yet, and it needs its key\n' +
      'site.yaml:6:49 employees[0].department.ext_id "d": no such department',
  );
});

test('a product whose flow the box holds cannot lose its network configuration without it', () => {
  const { site } = read('products:\n  - { product_id: A, network_configuration: none }\n');
  const held = { products: [{ product_id: 'A', network_configuration_flow: 'hold the key' }] };
  const [problem] = siteProblems(site, held, { prune: false, production: false });
  expect(problem).toMatchObject({ path: ['products', 0, 'network_configuration'] });
  const { site: whole } = read(
    'products:\n  - { product_id: A, network_configuration: none, network_configuration_flow: "" }\n',
  );
  expect(siteProblems(whole, held, { prune: false, production: false })).toEqual([]);
});

test('production refuses the example keys', () => {
  writeFileSync(join(folder, 'mei.pw'), 'correct horse\n');
  const { site } = read(contractExample);
  const paths = siteProblems(site, {}, { prune: false, production: true }).map(({ path }) => path.join('.'));
  expect(paths).toEqual([
    'products.0.product_key',
    'devices.0.access_key',
    'apps.0.app_key',
    'attendance_callers.0.app_secret',
    'oauth_clients.0.client_secret',
  ]);
});
