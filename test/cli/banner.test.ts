import { expect, test } from 'vitest';
import { bannerText } from '../../src/cli/banner.ts';

const banner = {
  name: 'Plant 4',
  deviceId: 'GATEHOUSE_A0017',
  open: ['https://192.168.1.5:8443'],
  setupCode: 'ABCD-2345',
  hotspot: { name: 'VENDOR_GATEHOUSE__A0017', key: 'tea-at\\four', page: 'http://10.192.168.1' },
  line: 'down: connect ECONNREFUSED',
  trouble: '',
};

test('the console says who the box is, where it is, and what is needed to set it up', () => {
  expect(bannerText(banner).split('\n').slice(1)).toEqual([
    '  open        https://192.168.1.5:8443',
    '  setup code  ABCD-2345 (for the first account)',
    '  hotspot     VENDOR_GATEHOUSE__A0017',
    '  password    tea-at\\\\four',
    '  then open   http://10.192.168.1',
    '  line        down: connect ECONNREFUSED',
    '',
    '',
  ]);
});

test('a name cannot move the cursor of the console, and no word of it is taken for one of agetty', () => {
  const text = bannerText({ ...banner, name: 'Plant\u001b[2J \\4', open: [], setupCode: null, hotspot: null });
  expect(text).toMatch(
    /^Gatehouse \S+ {2}Plant\\\\u001b\[2J \\\\4 {2}GATEHOUSE_A0017\n {2}open {8}no network yet\n {2}line/,
  );
});
