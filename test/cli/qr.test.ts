import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';
import { runCommand } from '../support/command.ts';
import { enlarged, pixelsOfPng, pixelsOfSvg, pixelsOfText, readQr } from '../support/pictures.ts';
import { aSite } from '../support/site.ts';

const config = {
  site: { locale: 'en' },
  box: { vendor: 'ACME', qr_base_url: 'https://qr.acme.example/v2/', app_type: 'wxmp', app_id: 'wx7' },
};
const site = aSite({
  products: [
    ...aSite().products,
    { product_id: 'LOCK', product_key: 's3cret-of-the-locks' }, // no model: the product_id stands for it
  ],
  devices: [
    { device_id: 'FACE-T1_A0001', name: 'North <gate>' },
    { device_id: 'FACE-T1_A0002' },
    { device_id: 'LOCK_1', name: 'Store room' },
  ],
});
const content = 'https://qr.acme.example/v2/wxmp/wx7/d/FACE-T1_A0001/activate?product=FACE-T1';

let running: LocalBox;
let stopped: LocalBox;
beforeAll(async () => {
  running = await aBox(config, site);
  stopped = await aBox(config, site);
  await stopped.stop();
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await stopped?.[Symbol.asyncDispose]();
});

describe.each(['running', 'stopped'])('on a %s box', state => {
  const box = () => (state === 'running' ? running : stopped);

  test('qr draws the code in the terminal, with its text under it', async () => {
    const said = await box().ask('qr', 'face-t1_a0001');
    const lines = said.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(content);
    expect(readQr(enlarged(pixelsOfText(lines.slice(0, -1).join('\n'), 'light')))).toBe(content);
  });

  test('qr draws into a file of either kind, for all to read', async () => {
    const [svg, png] = [join(box().folder, 'a.svg'), join(box().folder, 'A.PNG')];
    expect(await box().ask('qr', 'FACE-T1_A0001', '--out', svg)).toBe(`${content}\n`);
    expect(readQr(enlarged(pixelsOfSvg(readFileSync(svg, 'utf8'))))).toBe(content);
    await box().ask('qr', 'FACE-T1_A0001', '--out', 'A.PNG', '--form', 'legacy-path');
    expect(readQr(pixelsOfPng(readFileSync(png)))).toBe(
      'https://qr.acme.example/v2/d/FACE-T1_A0001/activate?product=FT1',
    );
    expect((statSync(png).mode & 0o777).toString(8)).toBe('644');
  });

  test('qr makes all forms, of devices that nobody has registered too', async () => {
    const ask = async (...args: string[]) => JSON.parse(await box().ask('qr', ...args, '--json'));
    expect(await ask('LOCK_77', '--form', 'legacy-query', '--status', '-1')).toEqual({
      content: 'https://qr.acme.example/v2?from=device&action=activate&product=LOCK&device=LOCK_77&status=-1',
      form: 'legacy-query',
      device_id: 'LOCK_77',
      product_id: 'LOCK',
      model: 'LOCK',
      app_type: null,
      app_id: null,
      func_type: 'activate',
      status: -1,
      broadcast_name: 'ACME_LOCK_OCK_77',
    });
    expect(
      await ask('LOCK_77', '--app-type', 'app', '--app-id', 'my_app', '--func', 'bind', '--status=0'),
    ).toMatchObject({
      content: 'https://qr.acme.example/v2/app/my_app/d/LOCK_77/bind?product=LOCK&status=0',
      form: '1',
    });
  });

  test('a product in place of a device has the code and the label of devices that cannot show their ids', async () => {
    const shown = JSON.parse(await box().ask('qr', 'face-t1', '--json'));
    expect(shown).toMatchObject({
      content: 'https://qr.acme.example/v2/wxmp/wx7/d/0/activate?product=FACE-T1',
      device_id: null,
      product_id: 'FACE-T1',
      broadcast_name: 'ACME_FT1',
    });
    expect(await box().ask('qr-read', shown.content)).toContain('look for it by its broadcast name');
    const sheet = await box().ask('labels', 'FACE-T1', '--lang', 'en');
    expect(sheet).toMatch(/ACME_FT1|ACME_<wbr\/>FT1|FT1<\/dd>/);
    expect(sheet).toContain('<h2>Face terminal</h2>');
    expect(sheet).not.toContain('Device ID');
    expect((await box().run('qr', 'FACE-T1', '--form', 'legacy-path')).status).toBe(2);
    expect((await box().run('qr', 'NONE')).stderr).toContain('no product with this product_id is known here (NONE)');
  });

  test('qr of a product that is not known is exit status 1, with what to do', async () => {
    expect(await box().run('qr', 'NONE_1')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'gatehouse: no product with this product_id is known here (NONE): add the product to the site file and apply it, or correct the device ID on the device\n',
    });
  });

  test('qr-read says what a code means, and whether the product is known', async () => {
    expect(await box().ask('qr-read', `${content}&status=-1`)).toBe(
      [
        'form     1',
        'device   FACE-T1_A0001',
        'product  FACE-T1; known here: Face terminal',
        'for      activate',
        'app      wxmp, wx7',
        'status   -1: not networked',
        '',
      ].join('\n'),
    );
    const byModel = await box().ask('qr-read', 'https://other.example/app/x/d/0/bind?productID=ft1&status=9');
    expect(byModel).toContain('device   not told: look for it by its broadcast name\n');
    expect(byModel).toContain('product  FT1; known here as the model of FACE-T1: Face terminal\n');
    expect(byModel).toContain('status   9: not known to SPEC 3.5\n');
    const unknown = await box().ask('qr-read', 'https://x.example?device=NONE_1&product=M', '--json');
    expect(JSON.parse(unknown)).toMatchObject({ product_id: 'NONE', model: 'M', status: null, product_known: false });
  });

  test('labels makes a sheet of some devices, of a product, of all', async () => {
    const names = (html: string) => [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(one => one[1]);
    expect(names(await box().ask('labels'))).toEqual(['North &lt;gate&gt;', 'Face terminal', 'Store room']);
    expect(names(await box().ask('labels', '--product', 'lock'))).toEqual(['Store room']);
    const file = join(box().folder, 'labels.html');
    const some = ['LOCK_5', 'lock_1', 'FACE-T1_A0001'];
    expect(await box().ask('labels', ...some, '--sheet', '50x30', '--lang', 'zh-CN', '--out', file)).toBe('');
    const html = readFileSync(file, 'utf8');
    expect(names(html)).toEqual(['LOCK', 'Store room', 'North &lt;gate&gt;']);
    expect(html).toContain('@page{size:50mm 30mm;margin:0}');
    expect(html).toContain('<html lang="zh-CN">');
    expect(await box().ask('labels')).toContain('<html lang="en">');
    const svgs = html.match(/<svg[\s\S]*?<\/svg>/g)!;
    expect(readQr(enlarged(pixelsOfSvg(svgs[2]!)))).toBe(content);
    expect(html.replaceAll('<wbr/>', '')).toContain('>ACME_FACE-T1__A0001<');
  });

  test('labels of a product that is not known is exit status 1', async () => {
    expect((await box().run('labels', '--product', 'NONE')).stderr).toMatch(
      /^gatehouse: no product with this product_id/,
    );
  });
});

test('qr-read needs no box, and names what is wrong with a text', async () => {
  const nowhere = ['--data-dir', '/nowhere/at/all'];
  const read = await runCommand(['qr-read', content, '--json', ...nowhere]);
  expect(JSON.parse(read.stdout)).toMatchObject({ form: '1', device_id: 'FACE-T1_A0001', product_known: null });
  expect((await runCommand(['qr-read', content, ...nowhere])).stdout).toContain(
    'no box here to ask whether it is known',
  );
  expect(await runCommand(['qr-read', 'FACE-T1_A0001', ...nowhere])).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'gatehouse: the text of the QR code is no address (FACE-T1_A0001): scan the code on the device: its text begins with https://\n',
  });
});

test('the config that is named says how codes begin, before what the box was run with', async () => {
  const file = join(stopped.folder, 'other.yaml');
  writeFileSync(file, `data_dir: ${stopped.dataDir}\nbox: { qr_base_url: "http://10.0.0.1" }\n`);
  const { stdout } = await runCommand(['qr', 'LOCK_1', '--config', file, '--json']);
  expect(JSON.parse(stdout).content).toBe('http://10.0.0.1/app/gatehouse/d/LOCK_1/activate?product=LOCK');
});

test.each([
  ['qr FACE_', 'DEVICE_ID "FACE_": no device id: {product_id}_{device_sn}, letters, digits and hyphens'],
  ['qr LOCK_1 --out a.pdf', '--out "a.pdf": write a name that ends with .svg or .png'],
  ['qr LOCK_1 --out svg', '--out "svg": write a name that ends with .svg or .png'],
  ['qr LOCK_1 --form legacy-path --app-id x', '--app-id goes with --form 1: the legacy forms do not carry it'],
  ['qr LOCK_1 --func a/b', '--func "a/b": write letters, digits, hyphens and underscores, at most 64'],
  ['qr LOCK_1 --status 2', '--status "2": write one of -1, 0, 1'],
  ['labels LOCK_1 --product LOCK', '--product stands for all its devices: name a product or device ids, not both'],
])('gatehouse %s is wrong usage', async (line, message) => {
  const { status, stdout, stderr } = await runCommand(line.split(' '));
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr.slice(0, message.length + 11)).toBe(`gatehouse: ${message}`);
  expect(stderr).toContain(`\nusage: gatehouse ${line.split(' ')[0]} `);
});
