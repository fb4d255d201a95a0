import { expect, test } from 'vitest';
import type { Seq } from '../../src/store/index.ts';
import { aProxyForMqtt } from '../support/haproxy.ts';
import { beginReading, digestOf, History, numberOf } from '../support/history.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { openedPostgresStore } from '../support/postgres-store.ts';
import type { BoxProcess } from '../support/program.ts';
import { RoamingDevice } from '../support/roaming-device.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { WatchedProcesses } from '../support/watched-processes.ts';

/** `DEVICES=60 KILLS=20 CRASHES=5 FREEZES=3` for the table of research/region.md. */
const number = (name: string, value: number): number => Number(process.env[name] ?? value);
const blows = { kills: number('KILLS', 4), crashes: number('CRASHES', 1), freezes: number('FREEZES', 2) };
const deviceCount = number('DEVICES', 20);
const seed = number('SEED', 1);
/** For what hangs: on a busy machine a process takes half a minute to start. */
const withinMs = 900_000 + 90_000 * (blows.kills + blows.crashes + blows.freezes);

const config = {
  listen: { mqtts: 'off', mqtt: '127.0.0.1:0' },
  // What is over a limit is acknowledged and not stored: it would count as lost.
  limits: { log_per_second: 1_000_000, log_per_day: 1_000_000_000 },
  admission: { new_devices_per_hour: 10_000 },
};

/** Mulberry32: the same course for the same seed. */
function randomFrom(state: number): () => number {
  let at = state;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Devices that roam between three processes, through blows. */
async function chaos(postgres: Postgres, history: History, wanted: typeof blows, prepare = ''): Promise<void> {
  await using region = await WatchedProcesses.start(postgres, {
    ...{ count: 3, site: aSite(), configOf: () => config, prepare },
  });
  const devices = deviceIds(deviceCount).map(
    (deviceId, index) =>
      new RoamingDevice(
        { deviceId, key: productKey },
        () => region.processes.map(process => process.port('mqtt')),
        randomFrom(seed * 1000 + index),
        history,
      ),
  );
  const acknowledged = () => devices.reduce((sum, device) => sum + device.acknowledged.size, 0);
  const blow = [
    ...Array.from({ length: wanted.kills }, () => 'kill' as const),
    ...Array.from({ length: wanted.crashes }, () => 'crash' as const),
    ...Array.from({ length: wanted.freezes }, () => 'freeze' as const),
  ];
  const random = randomFrom(seed);
  for (let round = 0; blow.length > 0; round++) {
    const before = acknowledged();
    await until('some work is done', () => acknowledged() > before + deviceCount * 10);
    const [next] = blow.splice(Math.floor(random() * blow.length), 1);
    const process = region.processes[round % region.processes.length]!;
    history.note(`${next} of process ${round % region.processes.length}`);
    if (next === 'kill') await region.restart(process, 'kill9');
    else if (next === 'crash') await postgres.crash();
    else if (process.alive) await region.freeze(process, 4000);
  }
  const before = acknowledged();
  await until('work goes on', () => acknowledged() > before + deviceCount * 10);
  let isOver = false;
  const ended = Promise.all(devices.map(device => device.end())).then(() => {
    isOver = true;
  });
  await until('every device has heard of all that it said', () => isOver);
  await ended;
  await readJournal(history, region);
}

/** The logs in the order of the journal, each with the connection over which it came. */
async function readJournal(history: History, region: WatchedProcesses): Promise<void> {
  await using store = await openedPostgresStore(region.url, { key: await region.sealKey() });
  const read = beginReading(history, { store: 'region', kind: 'log' });
  for (let after = 0 as Seq; after < store.journal.lastSeq; ) {
    const { records, through } = await store.journal.read(after, { bytesMax: 4 << 20 });
    for (const { channel, logPath, payload, seq } of records) {
      if (channel !== 'log') continue;
      const text = Buffer.from(payload).toString();
      const { log, number: n = numberOf(log), connection: session } = JSON.parse(text);
      // The text of a roaming device names the connection, so it is another each time.
      const content = session === undefined ? { digest: digestOf(text) } : { session };
      read.row({ device: logPath.replace('/', '_'), n, id: seq, ...content });
    }
    after = through;
  }
  read.end();
}

/**
 * What the fence prevents: a process that does not answer loses its devices, and goes on storing
 * what it had of them.
 */
const withoutFence = `
  CREATE FUNCTION only_free() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE device_session SET process = 0 WHERE process = OLD.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER only_free BEFORE UPDATE ON process FOR EACH ROW WHEN (NOT NEW.live) EXECUTE FUNCTION only_free();`;

suiteWithPostgres('devices that go from one process of a region to another', () => {
  const postgres = postgresOfFile();
  const said = `${blows.kills} kills, ${blows.crashes} crashes of the database, ${blows.freezes} stops of 4 s`;

  test(
    `lose nothing that was acknowledged, and their records stay in order: ${said}`,
    async () => {
      using history = new History();
      await chaos(await postgres(), history, blows);
      console.log(
        `${said}: ${await history.expectSound(['a lost row', 'two rows that changed places', 'a log twice', 'a late acknowledgement'])}`,
      );
    },
    withinMs,
  );

  test('control: where a process that does not answer is not fenced, records are stored out of order', async () => {
    const stops = { kills: 0, crashes: 0, freezes: 3 };
    // What a process had read before it stopped and not stored is chance.
    for (let outOfOrder = 0; outOfOrder === 0; ) {
      using history = new History();
      await chaos(await postgres(), history, stops, withoutFence);
      const { findings, says } = await history.verdict();
      console.log(`no fence, 3 stops of 4 s: ${says}, ${findings.length} findings`);
      outOfOrder = findings.filter(({ rule }) => rule === 'out of order').length;
    }
  });
});

suiteNeeding('haproxy', 'haproxy', 'devices behind HAProxy', () => {
  suiteWithPostgres('in a region', () => {
    const postgres = postgresOfFile();

    test('go on at another process within seconds when theirs hangs, and nothing is lost', async () => {
      using history = new History();
      const listen = { ...config.listen, metrics: '127.0.0.1:0' };
      await using region = await WatchedProcesses.start(await postgres(), {
        ...{ count: 2, configOf: () => ({ ...config, listen }), site: aSite() },
      });
      const portsOf = (name: string) => region.processes.map(process => process.port(name));
      await using proxy = await aProxyForMqtt(portsOf('mqtt'), '', portsOf('metrics'));
      const terminals = deviceIds(8).map(deviceId =>
        new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${proxy.port}`).writesTo(history),
      );
      let isOver = false;
      const shifts = terminals.map(async terminal => {
        while (!isOver) {
          await terminal.say('log');
          await new Promise(resolve => setTimeout(resolve, 20));
        }
      });
      const allWork = async () => {
        const before = terminals.map(({ acknowledged }) => acknowledged.length);
        await until('every device is at work', () =>
          terminals.every(({ acknowledged }, index) => acknowledged.length > before[index]! + 5),
        );
      };
      await allWork();
      const [hung] = region.processes as [BoxProcess];
      process.kill(hung.pid, 'SIGSTOP');
      const begun = performance.now();
      await allWork();
      console.log(`a process hangs: all devices at work again after ${Math.round(performance.now() - begun)} ms`);
      process.kill(hung.pid, 'SIGCONT');
      await until('it has ended and started again', () => region.endedThemselves === 1 && hung.alive);
      isOver = true;
      await Promise.all(shifts);
      for (const terminal of terminals) await terminal.end();
      await readJournal(history, region);
      await history.expectSound(['a lost row', 'two rows that changed places', 'a log twice']);
    });

    test('go on without one refused login while each process is stopped and started again', async () => {
      using history = new History();
      const behindProxy = { ...config, listen: { ...config.listen, proxies: '127.0.0.1' } };
      await using region = await WatchedProcesses.start(await postgres(), {
        count: 3,
        configOf: () => behindProxy,
        site: aSite(),
      });
      const ports = region.processes.map(process => process.port('mqtt'));
      await using proxy = await aProxyForMqtt(ports, 'send-proxy-v2');
      let refused = 0;
      let logins = 0;
      let isOver = false;
      const terminals = deviceIds(deviceCount).map(deviceId => {
        const terminal = new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${proxy.port}`);
        terminal.writesTo(history);
        terminal.client.on('packetreceive', packet => {
          if (packet.cmd !== 'connack') return;
          if (packet.returnCode === 0) logins++;
          else refused++;
        });
        return terminal;
      });
      const shifts = terminals.map(async terminal => {
        while (!isOver) {
          await terminal.say('log');
          await new Promise(resolve => setTimeout(resolve, 20));
        }
      });
      const acknowledged = () => terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
      for (const process of region.processes) {
        const before = acknowledged();
        await until('every device is at work', () => acknowledged() > before + deviceCount * 5);
        await region.restart(process, 'stop');
      }
      const before = acknowledged();
      await until('every device is at work', () => acknowledged() > before + deviceCount * 5);
      isOver = true;
      await Promise.all(shifts);
      for (const terminal of terminals) await terminal.end();
      console.log(
        `3 processes restarted: ${logins} logins, ${refused} refused, ${acknowledged()} records acknowledged`,
      );
      expect(refused).toBe(0);
      expect(region.endedThemselves).toBe(0);
      // Who restarted has disconnected its devices.
      expect(logins).toBeGreaterThan(deviceCount);
      await readJournal(history, region);
      await history.expectSound(['a lost row', 'two rows that changed places', 'a log twice']);
    });
  });
});
