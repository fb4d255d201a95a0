import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { suiteNeeding } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const source = (readdirSync(join(root, 'src'), { recursive: true }) as string[])
  .filter(name => name.endsWith('.ts'))
  .map(name => read(`src/${name}`))
  .join('\n');

/** What polkit says to whom. */
function polkitDecision(): (action: string, user: string) => string | undefined {
  let rule: (action: { id: string }, subject: { user: string }) => string | undefined = () => 'none';
  runInNewContext(read('systemd/polkit/50-gatehouse.rules'), {
    polkit: {
      Result: { YES: 'yes' },
      addRule: (added: typeof rule) => {
        rule = added;
      },
    },
  });
  return (id, user) => rule({ id }, { user });
}

describe('polkit', () => {
  const decide = polkitDecision();
  const networkManager = 'org.freedesktop.NetworkManager';

  test.each([
    // The call of the source, and the action that NetworkManager asks polkit about for it.
    ["bus.variant('b', true)", 'enable-disable-wifi'],
    ["'ActivateConnection'", 'network-control'],
    ["'CheckConnectivity'", 'network-control'],
    ["'AddConnectionUnsaved'", 'settings.modify.system'],
    ["'Update'", 'settings.modify.system'],
    ["'Reapply'", 'network-control'],
    ["'GetSecrets'", 'settings.modify.system'],
    ["'CheckpointCreate'", 'checkpoint-rollback'],
    ["'RequestScan'", 'wifi.scan'],
    ["'wpa-psk'", 'wifi.share.protected'],
    ['key === null', 'wifi.share.open'],
  ])('lets the service do %s', (call, action) => {
    expect(source).toContain(call);
    expect(decide(`${networkManager}.${action}`, 'gatehouse')).toBe('yes');
  });

  test.each([
    ["'SetHostname'", 'set-hostname'],
    ["'SetStaticHostname'", 'set-static-hostname'],
  ])('lets the service do %s', (call, action) => {
    expect(source).toContain(call);
    expect(decide(`org.freedesktop.hostname1.${action}`, 'gatehouse')).toBe('yes');
  });

  test('says nothing to anybody else, nor of anything else', () => {
    expect(decide(`${networkManager}.network-control`, 'somebody')).toBeUndefined();
    for (const action of ['sleep-wake', 'settings.modify.own', 'settings.modify.hostname', 'reload'])
      expect(decide(`${networkManager}.${action}`, 'gatehouse')).toBeUndefined();
    for (const action of ['org.freedesktop.systemd1.manage-units', 'org.freedesktop.login1.power-off'])
      expect(decide(action, 'gatehouse')).toBeUndefined();
    expect(decide('org.freedesktop.login1.reboot', 'gatehouse')).toBe('yes');
  });
});

describe('D-Bus', () => {
  const policy = read('systemd/dbus/gatehouse.conf');
  const rules = [...policy.matchAll(/<allow ([^>]*)\/>/g)].map(([, attributes]) =>
    Object.fromEntries([...attributes!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );

  test('the service may send to these alone, and owns no name', () => {
    expect([...new Set(rules.map(rule => rule.send_destination))].sort()).toEqual([
      'de.pengutronix.rauc',
      'org.bluez',
      'org.freedesktop.NetworkManager',
      'org.freedesktop.hostname1',
      'org.freedesktop.login1',
    ]);
    expect(policy).not.toContain('own=');
    expect([...policy.matchAll(/<policy ([^>]*)>/g)].map(([, who]) => who)).toEqual(['user="gatehouse"']);
    for (const rule of rules) expect(rule.send_interface, JSON.stringify(rule)).toBeDefined();
  });

  test('it may send what the source calls of BlueZ and NetworkManager, and no interface more', () => {
    const interfaces = (service: string) =>
      rules
        .filter(rule => rule.send_destination === service)
        .map(rule => rule.send_interface!)
        .filter(name => !name.startsWith('org.freedesktop.DBus.'))
        .sort();
    // Objects of its own that BlueZ calls, and objects that are only read (by Properties and
    // GetManagedObjects).
    const notCalled = ['org.bluez.GattService1', 'org.bluez.LEAdvertisement1'];
    const named = [...new Set(source.match(/\borg\.bluez\.\w+1\b/g))].filter(name => !notCalled.includes(name));
    expect(interfaces('org.bluez').filter(name => name !== 'org.bluez.Device1')).toEqual(
      named.filter(name => name !== 'org.bluez.Device1').sort(),
    );
    // Adapter1 and Device1 are called by node-ble.
    expect(source).toContain("'node-ble'");
    const manager = 'org.freedesktop.NetworkManager';
    expect(interfaces(manager)).toEqual(
      ['', '.Device', '.Device.Wireless', '.Settings', '.Settings.Connection'].map(end => manager + end).sort(),
    );
    for (const end of ['Device', 'Device.Wireless', 'Settings']) expect(source).toContain(`\${manager}.${end}`);
  });
});

suiteNeeding('dbus-daemon', 'dbus-daemon', 'D-Bus itself', () => {
  test('takes the policy', async () => {
    const policy = read('systemd/dbus/gatehouse.conf')
      // A user that is not there is passed over with a word; here it is one that is.
      .replace('user="gatehouse"', 'user="root"')
      .replace('<busconfig>', '<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>');
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bus-'));
    writeFileSync(join(folder, 'bus.conf'), policy);
    const options = ['--nofork', '--nopidfile', '--nosyslog', '--print-address=1'];
    const daemon = spawn('dbus-daemon', [`--config-file=${folder}/bus.conf`, ...options]);
    let said = '';
    daemon.stderr.setEncoding('utf8').on('data', text => {
      said += text;
    });
    // What is wrong in a policy ends it, before it has an address.
    let address = '';
    daemon.stdout.setEncoding('utf8').on('data', text => {
      address += text;
      daemon.kill();
    });
    await once(daemon, 'close');
    rmSync(folder, { recursive: true });
    expect(address, said).toMatch(/^unix:/);
  });
});
