import { z } from 'zod';
import { parseAddress } from '../runtime/address.ts';
import { documented, listener, oneOf, optionalText, pattern, text, whole, yesOrNo } from './kinds.ts';

const uuid = (what: string) =>
  pattern(
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    `${what}: 128 bits in lower case, such as 6e400001-b5a3-f393-e0a9-e50e24dcca9e`,
  );

/** A serial port over GATT under UUIDs that many phone apps know already; SPEC names none. */
const gatt = z.strictObject({
  service: documented(uuid('a service').default('6e400001-b5a3-f393-e0a9-e50e24dcca9e'), 'UUID of the service'),
  write: documented(
    uuid('a characteristic').default('6e400002-b5a3-f393-e0a9-e50e24dcca9e'),
    'UUID of the characteristic to which a phone writes frames',
  ),
  notify: documented(
    uuid('a characteristic').default('6e400003-b5a3-f393-e0a9-e50e24dcca9e'),
    'UUID of the characteristic that notifies frames',
  ),
});

export const provisioning = z.strictObject({
  bluetooth: documented(oneOf(['bluez', 'off']).default('bluez'), 'Bluetooth set-up'),
  bluetooth_adapter: documented(text('an adapter such as hci0', 16).optional(), 'Which adapter; absent: the first', {
    kind: 'adapter',
  }),
  gatt: documented(
    gatt.prefault({}),
    'What the box offers over Bluetooth while it is being set up; SPEC 4.4 names no UUIDs',
  ),
  wifi: documented(oneOf(['networkmanager', 'simulated', 'off']).default('networkmanager'), 'Wifi set-up'),
  wifi_interface: documented(
    text('an interface such as wlan0', 15).optional(),
    'Which wifi interface; absent: the first',
    {
      kind: 'interface',
    },
  ),
  hotspot: listener('10.192.168.1:80', 'Where the hotspot endpoints are served while the box is being set up'),
  hotspot_key: documented(
    text('a password', 63)
      .refine(value => value.length >= 8, { error: 'too short: a wifi password has 8 to 63 characters' })
      .optional(),
    'Password of the hotspot; absent: each box makes its own at its first start and prints it',
    { secret: true },
  ),
  hotspot_open: documented(
    yesOrNo().default(false),
    'true: the hotspot has no password, for apps that cannot ask for one; anybody nearby can read along',
  ),
  minutes: documented(
    whole(1, 24 * 60, 'minutes').default(30),
    'How long the box can be set up if it has another network; without one it waits until it is set up',
  ),
  button: documented(
    text('the path of a file').optional(),
    'A file that reads 0 or 1, such as /sys/class/gpio/gpio17/value: a button released after 5 s resets the network, after 10 s everything (docs/operating.md)',
    { file: 'path', kind: 'file' },
  ),
  button_pressed: documented(oneOf(['0', '1']).default('0'), 'What the file reads while the button is pressed'),
  result_broadcast: documented(
    text('host:port')
      .refine(value => Boolean(parseAddress(value)), { error: 'not an address: write host:port' })
      .default('255.255.255.255:24333'),
    'Where the result of a set-up is broadcast (UDP)',
    { kind: 'host:port' },
  ),
  result_listen: listener('0.0.0.0:24333', 'Where the box listens for results of site devices (UDP)'),
  simulated_networks: documented(
    z
      .array(
        z.strictObject({
          ssid: documented(text('an ssid', 32), 'Name of the network'),
          key: documented(optionalText(64).default(''), 'Its password; empty: open', { secret: true }),
          anthenc: documented(
            oneOf(['none', 'WEP64', 'WEP128', 'WPA-PSK-TKIP', 'WPA-PSK-AES', 'WPA2-PSK-TKIP', 'WPA2-PSK-AES']).default(
              'WPA2-PSK-AES',
            ),
            'SPEC 4.3',
          ),
          quality: documented(text('a signal strength, as text', 8).default('80'), 'Signal strength, as text'),
          host: documented(
            text('host:port')
              .refine(value => Boolean(parseAddress(value)), { error: 'not an address: write host:port' })
              .optional(),
            'If this network is the hotspot of a simulated device: where its hotspot endpoints are',
            { kind: 'host:port' },
          ),
        }),
      )
      .default([]),
    'The networks that exist with wifi: simulated',
    { kind: 'list of networks' },
  ),
});
