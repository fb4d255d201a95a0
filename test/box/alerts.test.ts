import { expect, test } from 'vitest';
import { aMailServer, mailPassword, mailUser, readMail, suiteWithMail } from '../support/mail-server.ts';
import { BoxProcess } from '../support/program.ts';
import { terminalsAt } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const site = {
  products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' }],
  devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }],
};

suiteWithMail('alerts of a real box', () => {
  test('a device goes silent: a mail comes. The box is killed: no second one. The device comes back: it is over, with the duration', async () => {
    await using server = await aMailServer();
    const alerts = {
      ...{ wait_seconds: 0, rules: { silent: { minutes: 0 } } },
      mail: {
        ...{ host: '127.0.0.1', port: server.port, user: mailUser, password: mailPassword },
        ...{ from: mailUser, to: ['mei@plant.example'] },
      },
    };
    const config = { site: { name: 'Plant 4', locale: 'en' }, upstream: { ca: `file:${server.caFile}` }, alerts };
    await using box = await BoxProcess.start(config, site);
    const terminals = await terminalsAt(box, { count: 1, recordsMax: 1 });
    await terminals.whenIdle();
    await terminals[Symbol.asyncDispose]();
    const silent = await until('a mail comes', () => server.mails.map(readMail).find(isSilent));
    expect(silent.headers.subject).toBe('[Plant 4] North gate is offline');
    expect(silent.body).toMatch(/^Since \d\d:\d\d\.\r\nIts check-ins are missing/);
    expect(silent.body).toMatch(/\r\nhttps:\/\/\S+\/devices\/FACE-T1_A0001\r\n/);
    expect(await box.ask('alerts')).toMatch(/warn +North gate is offline/);

    await box.kill9();
    await box.start();
    const open = async () => JSON.parse(await box.ask('alerts', '--json')).open as { subject: string }[];
    await until('it knows of it', async () => (await open()).some(({ subject }) => subject === 'FACE-T1_A0001'));
    await using _back = await terminalsAt(box, { count: 1, recordsMax: 2 });
    const over = await until('another mail comes', () => server.mails.map(readMail).find(isOver));
    expect(over.headers.subject).toBe('[Plant 4] Resolved: North gate is offline');
    expect(over.body).toMatch(/^Duration \d+ (s|min), from \d\d:\d\d to \d\d:\d\d\./);
    expect(server.mails.map(readMail).filter(isSilent)).toHaveLength(1);
    expect(JSON.stringify(await box.ask('alerts', '--json'))).not.toContain(mailPassword);
  });
});

type Read = ReturnType<typeof readMail>;
const isSilent = ({ headers }: Read) => headers.subject === '[Plant 4] North gate is offline';
const isOver = ({ headers }: Read) => headers.subject?.startsWith('[Plant 4] Resolved') ?? false;
