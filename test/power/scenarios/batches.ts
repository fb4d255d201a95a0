import { join } from 'node:path';
import { connectAdmin } from '../../../src/admin-client/index.ts';
import { BoxProcess } from '../../support/program.ts';
import { aSite, deviceIds, productKey } from '../../support/site.ts';
import { MqttTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { checkBatchCursor } from '../checker.ts';
import type { Scenario } from '../scenario.ts';

const boxKey = 'key-of-the-lower-box';

export const batches: Scenario = {
  name: 'batches',
  says: 'a box above takes batches: what the box below counts as delivered is on the disk above, and the cursor with it',
  async play(stage) {
    const ownProduct = { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' };
    const products = [...aSite().products, ownProduct];
    const upper = await stage.box({}, { products, boxes: [{ box_id: 'GATEHOUSE_000002' }] });
    const lower = stage.use(
      await BoxProcess.start(
        {
          listen: { mqtt: '127.0.0.1:0' },
          limits: { log_per_second: 1000, log_per_day: 1_000_000 },
          box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
          upstream: {
            mode: 'batch',
            device_http: `https://127.0.0.1:${upper.port('https')}`,
            ca: `file:${join(stage.dataDir, 'tls', 'ca.pem')}`,
          },
        },
        aSite(),
      ),
    );
    const terminals = deviceIds(3).map(deviceId => {
      const url = `mqtt://127.0.0.1:${lower.port('mqtt')}`;
      return new MqttTerminal({ deviceId, key: productKey }, url, { reconnectPeriod: 0 });
    });
    for (const terminal of terminals) stage.notes.listensTo(terminal);
    await using admin = (await connectAdmin(lower.dataDir))!;
    const delivered = async () => (await admin.get('/status')).outbox.waiting === 0;
    stage.notes.begin();
    for (let turn = 0; turn < 14; turn++) {
      const said = await Promise.all(
        terminals.flatMap(terminal => Array.from({ length: 6 }, (_, no) => terminal.say(no === 0 ? 'device' : 'log'))),
      );
      await until('the box above has them', delivered);
      for (const one of said) stage.notes.acknowledged(one);
    }
    await Promise.all(terminals.map(terminal => terminal.end()));
  },
  check: ({ stored }, found) => checkBatchCursor(stored, found),
};
