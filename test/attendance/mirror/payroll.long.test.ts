import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { startSimCloud } from '../../../tools/sim/index.ts';
import { AttendanceCaller } from '../../support/attendance.ts';
import { seededRandom } from '../../support/clock.ts';
import { residentMb } from '../../support/memory-group.ts';
import { BoxProcess } from '../../support/program.ts';
import { aSite, productKey } from '../../support/site.ts';
import { HttpTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

const caller = { app_key: 'ak1', app_secret: 'as1' };
const id = 'FACE-T1_A0001';
const people = 200;
/** `PUNCHES=1000000` for the long run; one of ten is made at the site's terminal. */
const punches = Number(process.env.PUNCHES ?? 100_000);
const atTerminal = Math.floor(punches / 10 / 100) * 100;
const longestMs = 120_000 + punches * 3;
const pages = Math.ceil(punches / 500);

/**
 * In front of the cloud: counts the pages of check-ins, and says at each whether it gets through.
 */
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

interface Listed {
  readonly id: string;
  readonly ext_id: string;
  readonly terminal_id: string;
  readonly check_type: string;
  readonly check_time: number;
}

/** What was listed of each person: how many, and sums over all of it, whatever the order. */
class Sums {
  readonly #ids = new Set<string>();
  readonly #of = new Map<string, { count: number; seconds: number; digests: number }>();
  repeated = 0;

  add({ id: own, ext_id, terminal_id, check_type, check_time }: Listed): void {
    if (this.#ids.has(own)) this.repeated++;
    this.#ids.add(own);
    const sum = this.#of.get(ext_id) ?? { count: 0, seconds: 0, digests: 0 };
    const digest = createHash('md5').update(`${terminal_id} ${check_type} ${check_time}`).digest();
    sum.count++;
    sum.seconds += check_time;
    sum.digests += digest.readUInt32LE(0);
    this.#of.set(ext_id, sum);
  }

  get count(): number {
    return this.#ids.size;
  }

  byPerson(): Record<string, object> {
    return Object.fromEntries([...this.#of].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

test(
  'payroll at the box has each check-in of phones and terminals once, through three cuts and two kills',
  async () => {
    const site = aSite({
      attendance_callers: [caller],
      departments: [{ ext_id: '0', name: 'Plant 4' }],
      employees: Array.from({ length: people }, (_, turn) => ({
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
    const share = (of: number) => Math.ceil(pages * of);
    const cuts = new Set([share(0.15), share(0.15) + 1, share(0.5), share(0.8)]);
    const kills = new Set([share(0.3), share(0.65)]);
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
      async () => (await payroll.call('/v2.0/employee/query')).data?.total === people,
    );
    expect(await payroll.run('checkin_query_init')).toMatchObject({ code: 0 });

    // The cloud lists what comes after its initialization, which the box asks for at its first copy.
    const cloudPayroll = payrollAt(cloud.urls.deviceHttp!);
    expect(await cloudPayroll.run('checkin_query_init')).toMatchObject({ code: 0 });

    const begun = performance.now();
    const to = Math.floor(Date.now() / 1000);
    const from = to - 365 * 86_400;
    cloud.attendance.addPhoneCheckIns({ count: punches - atTerminal, from, to });
    const terminal = new HttpTerminal({ deviceId: id, key: productKey }, `https://${box.addresses.https}`, ca);
    await terminal.connect();
    for (let first = 0; first < atTerminal; first += 100) {
      const records = Array.from({ length: 100 }, (_, turn) => ({
        ext_id: `e${(first + turn) % people}`,
        check_type: 'fa',
        check_time: from + (first + turn) * 60,
      }));
      const body = JSON.stringify({
        mid: `m${first}`,
        from: id,
        to: 'system',
        time: 0,
        action: 2001,
        data: { records },
      });
      const answer = await terminal.ask(`/api/push/${id}`, { method: 'POST', body });
      expect(answer.status).toBe(200);
    }
    terminal.end();
    void box.run('attendance', 'sync');

    const given = new Sums();
    let place = 0;
    let most = 0;
    await until('payroll has as many as the cloud, and the box was killed twice', async () => {
      if (!box.alive) await box.start();
      most = Math.max(most, residentMb(box.pid) ?? 0);
      // Killed while it was asked: the same page again.
      for (;;) {
        const { data: page } = await payroll.run('checkin_query', { next_id: place, page_size: 500 });
        for (const one of page.data as Listed[]) given.add(one);
        place = page.next_id;
        if (page.data.length === 0) break;
      }
      const there = cloud.attendance.stats().check_ins;
      if (given.count >= punches && there === punches && killed.length === kills.size) return true;
      throw new Error(`${given.count} given, ${there} in the cloud, killed ${killed.length} times\n${box.stderr}`);
    });
    await Promise.all(killed);
    const took = Math.round((performance.now() - begun) / 1000);
    process.stderr.write(`payroll: ${punches} check-ins in ${took} s, the box with at most ${Math.round(most)} MB\n`);
    const listed = new Sums();
    for (let from = 0; ; ) {
      const { data: page } = await cloudPayroll.run('checkin_query', { next_id: from, page_size: 500 });
      for (const one of page.data as Listed[]) listed.add(one);
      if (page.data.length === 0) break;
      from = page.next_id;
    }
    expect([given.count, given.repeated, listed.count]).toEqual([punches, 0, punches]);
    expect(given.byPerson()).toEqual(listed.byPerson());
    expect(most).toBeLessThan(512);
    expect((await payroll.walk(place)).records).toEqual([]);
  },
  longestMs + 60_000,
);
