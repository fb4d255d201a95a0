import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { suiteNeeding } from '../support/tools.ts';

const folder = fileURLToPath(new URL('../../docs/monitoring/', import.meta.url));
const run = promisify(execFile);
const textOf = (file: string): string => readFileSync(`${folder}${file}`, 'utf8');

/** What a box with one device says at /metrics. */
async function metrics(): Promise<string> {
  await using box = await BoxProcess.start(
    { listen: { metrics: '127.0.0.1:0' }, backups: { directory: { path: '/nowhere' } } },
    {
      products: [{ product_id: 'FACE-T1', product_key: 'k', name: 'Face', model: 'FT1', access: 'both' }],
      devices: [{ device_id: 'FACE-T1_A0001' }],
    },
  );
  return await (await fetch(`http://${box.addresses.metrics}/metrics`)).text();
}

test('every figure of the dashboard and of the alerts is one that a box has', async () => {
  const has = new Set([...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
  // Those that not every board or box has.
  has.add('gatehouse_board_temperature_celsius').add('gatehouse_backup_timestamp_seconds');
  has.add('gatehouse_store_written_bytes_total');
  const asked = new Set(
    [textOf('grafana-dashboard.json'), textOf('prometheus-rules.yaml')].flatMap(text =>
      [...text.matchAll(/\bgatehouse_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')),
    ),
  );
  expect(asked.size).toBeGreaterThan(15);
  expect([...asked].filter(name => !has.has(name))).toEqual([]);
});

test('the dashboard can be imported anywhere: no id, one data source that is asked for, panels beside each other', () => {
  const dashboard = JSON.parse(textOf('grafana-dashboard.json'));
  expect(dashboard).toMatchObject({ id: null, uid: 'gatehouse-boxes' });
  expect(dashboard.templating.list.map(({ name }: { name: string }) => name)).toEqual(['datasource', 'site', 'device']);
  const places = new Set<string>();
  for (const { id, gridPos, datasource, targets } of dashboard.panels) {
    expect([id, datasource.uid, targets.length > 0]).toEqual([id, `\${datasource}`, true]);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([id, x < 24, places.has(`${x} ${y}`)]).toEqual([id, true, false]);
        places.add(`${x} ${y}`);
      }
  }
});

suiteNeeding('promtool', 'prometheus', 'Prometheus itself', () => {
  test('reads the alerts, and each of them fires as its test says', async () => {
    await run('promtool', ['check', 'rules', `${folder}prometheus-rules.yaml`]);
    const { stdout } = await run('promtool', ['test', 'rules', `${folder}prometheus-rules.test.yaml`]);
    expect(stdout).toContain('SUCCESS');
    const alerts = [...textOf('prometheus-rules.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const tested = [...textOf('prometheus-rules.test.yaml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name);
    expect([...new Set(tested)]).toEqual(alerts);
  });

  test('finds nothing wrong with the figures of a box', async () => {
    const text = await metrics();
    const said = await new Promise<string>((resolve, reject) => {
      const child = execFile('promtool', ['check', 'metrics'], (error, stdout, stderr) =>
        error && error.code === undefined ? reject(error) : resolve(stdout + stderr),
      );
      child.stdin!.end(text);
    });
    expect(said).toBe('');
  });
});
