import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/operations/index.ts';
import { startSimCloud } from '../../../src/sim/index.ts';
import { AttendanceCaller } from '../../support/attendance.ts';
import { seededRandom } from '../../support/clock.ts';
import { BoxProcess } from '../../support/program.ts';
import { aSite, productKey } from '../../support/site.ts';
import { HttpTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

const caller = { app_key: 'ak1', app_secret: 'as1' };
const id = 'FACE-T1_A0001';
const phones = 12_000;

/** In front of the cloud: counts the pages of check-ins, and says at each whether it gets through. */
async function aLine(to: string, atPage: (page: number) => boolean) {
  const { hostname, port } = new URL(to);
  let page = 0;
  const server = createServer((asked, answer) => {
    const isPage = asked.headers['api-cmd'] === 'checkin_query';
    if (isPage && !atPage(++page)) return void asked.socket.destroy();
    const { method, url: path, headers } = asked;
    const passed = request({ hostname, port, method, path, headers }, said => {
      answer.writeHead(said.statusCode ?? 502, said.headers);
      said.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

test('payroll at the box has each check-in of phones and terminals once, through three cuts and two kills', async () => {
  const site = aSite({
    attendance_callers: [caller],
    departments: [{ ext_id: '0', name: 'Plant 4' }],
    employees: Array.from({ length: 20 }, (_, turn) => ({
      ext_id: `e${turn}`,
      name: `Name ${turn}`,
      mobile: '1',
      employee_num: `${turn}`,
      department: { ext_id: '0' },
    })),
  });
  await using cloud = await startSimCloud({
    clock: realClock,
    random: seededRandom(1),
    products: site.products,
    limits: false,
    attendance: { ...site, callsPerSecond: 10_000 },
  } as never);
  const cuts = new Set([4, 5, 12, 20]);
  const kills = new Set([8, 16]);
  const killed: Promise<void>[] = [];
  await using line = await aLine(cloud.urls.deviceHttp!, page => {
    if (kills.has(page)) killed.push(box.kill9());
    return !cuts.has(page);
  });
  await using box = await BoxProcess.make(
    {
      upstream: {
        device_http: cloud.urls.deviceHttp,
        attendance: { url: line.url, ...caller },
      },
    },
    { products: site.products, attendance_callers: [caller] },
  );
  await box.start();
  await box.ask('trust', 'export', '--edition', 'slim', '--out', join(box.folder, 'trust.pem'));
  const ca = await readFile(join(box.folder, 'trust.pem'), 'utf8');
  const payrollAt = (url: string, tls = {}) =>
    new AttendanceCaller(url, Date.now, caller.app_key, caller.app_secret, tls);
  const payroll = payrollAt(`https://${box.addresses.https}`, { ca });
  await until(
    'the cloud’s people are here',
    async () => (await payroll.call('/v2.0/employee/query')).data?.total === 20,
  );
  expect(await payroll.run('checkin_query_init')).toMatchObject({ code: 0 });

  cloud.attendance.addPhoneCheckIns({ count: phones });
  const terminal = new HttpTerminal({ deviceId: id, key: productKey }, `https://${box.addresses.https}`, ca);
  await terminal.connect();
  const records = Array.from({ length: 100 }, (_, turn) => ({
    ext_id: `e${turn % 20}`,
    check_type: 'fa',
    check_time: 1_763_000_000 + turn * 600,
  }));
  const data = { records };
  const body = JSON.stringify({ mid: 'm1', from: id, to: 'system', time: 0, action: 2001, data });
  await terminal.ask(`/api/push/${id}`, { method: 'POST', body });
  terminal.end();
  void box.run('attendance', 'sync');

  const total = phones + records.length;
  const given: { id: string }[] = [];
  let place = 0;
  await until(
    'payroll has as many as the cloud, and the box was killed twice',
    async () => {
      if (!box.alive) await box.start();
      // Killed while it was asked: the same page again.
      const { data: page } = await payroll.run('checkin_query', { next_id: place, page_size: 500 });
      given.push(...page.data);
      place = page.next_id;
      return given.length >= total && cloud.attendance.stats().check_ins === total && killed.length === kills.size;
    },
    200_000,
  );
  await Promise.all(killed);
  const traces = (rows: readonly object[]): string[] =>
    (rows as { ext_id: string; terminal_id: string; check_type: string; check_time: number }[])
      .map(one => [one.ext_id, one.terminal_id, one.check_type, one.check_time].join(' '))
      .sort();
  const { records: listed } = await payrollAt(cloud.urls.deviceHttp!).walk();
  expect(new Set(given.map(one => one.id)).size).toBe(total);
  expect(traces(given)).toEqual(traces(listed));
  expect((await payroll.walk(place)).records).toEqual([]);
}, 300_000);
