import type { BoxUnderTest } from './box-under-test.ts';
import type { History } from './history.ts';
import { deviceIds, productKey } from './site.ts';
import { HttpTerminal, MqttTerminal } from './terminal.ts';

export interface Work {
  readonly terminals: readonly (MqttTerminal | HttpTerminal)[];
  /** Resolves when the last record of every terminal is acknowledged. */
  stop(): Promise<void>;
}

/** Terminals at both gateways that punch and log without a pause, from the number `from` on. */
export function atWork(
  box: Pick<BoxUnderTest, 'port'>,
  ca: string,
  count: number,
  { from = 1, key = productKey, history }: { from?: number; key?: string; history?: History } = {},
): Work {
  const url = `mqtts://127.0.0.1:${box.port('mqtts')}`;
  const base = `https://127.0.0.1:${box.port('https')}`;
  const identities = deviceIds(count + from - 1)
    .slice(from - 1)
    .map(deviceId => ({ deviceId, key }));
  const terminals = identities.map((identity, index) =>
    index % 4 === 3 ? new HttpTerminal(identity, base, ca) : new MqttTerminal(identity, url, { ca }),
  );
  if (history) for (const terminal of terminals) terminal.writesTo(history);
  let working = true;
  const shifts = terminals.map(async (terminal, index) => {
    for (let turn = 0; working; turn++) {
      await Promise.all([terminal.say('device'), ...(turn % 8 === index % 8 ? [terminal.say('log')] : [])]);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  });
  return {
    terminals,
    async stop() {
      working = false;
      await Promise.all(shifts);
      await Promise.all(terminals.map(terminal => terminal.end()));
    },
  };
}
