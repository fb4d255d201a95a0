import { listenHttp } from './box-listeners.ts';
import { type Config, hasLine, parseAddress } from './config/index.ts';
import type { Clock } from './platform/clock.ts';
import { parseDeviceId, parseProductId } from './platform/device-id.ts';
import type { Log } from './platform/log.ts';
import { mqttPassword } from './platform/signature.ts';
import { programVersion } from './platform/version.ts';
import type { PlatformAbove, ProvisioningOptions } from './provisioning/index.ts';
import type { Store } from './store/index.ts';
import type { Upstream } from './upstream/index.ts';

/** What the box's own set-up is given from the config. */
export function provisioningParts(
  config: Config,
  { store, upstream, clock, log }: { store: Store; upstream: Upstream; clock: Clock; log: Log },
): ProvisioningOptions {
  const { box, provisioning, site } = config;
  const { bluetooth, wifi, button } = provisioning;
  return {
    store,
    clock,
    log,
    device: {
      deviceId: deviceIdOf(config),
      sn: box.device_sn,
      model: box.model,
      version: programVersion,
      vendor: box.vendor,
    },
    keys: () => keysOf(config, store),
    bluetooth:
      bluetooth === 'off' ? null : { adapter: provisioning.bluetooth_adapter ?? null, names: provisioning.gatt },
    wifi:
      wifi === 'off'
        ? null
        : wifi === 'simulated'
          ? { kind: 'simulated', networks: provisioning.simulated_networks }
          : { kind: 'networkmanager', interfaceName: provisioning.wifi_interface ?? null },
    hotspot: {
      address: parseAddress(provisioning.hotspot) ?? null,
      key: provisioning.hotspot_key ?? null,
      open: provisioning.hotspot_open,
    },
    minutes: provisioning.minutes,
    button: button === undefined ? null : { file: button, pressed: provisioning.button_pressed },
    broadcastTo: parseAddress(provisioning.result_broadcast)!,
    locale: site.locale,
    platformAbove: platformAbove(config, upstream),
    listen: (address, fetch) => listenHttp('provisioning.hotspot', address, fetch, clock),
  };
}

function deviceIdOf({ box }: Config) {
  const id = parseDeviceId(`${box.product_id}_${box.device_sn}`);
  if (!id.ok) throw new Error(`box.device_sn: ${box.product_id}_${box.device_sn} is no device id`);
  return id.value;
}

/** The first signs; with any of them a phone may have protected a wifi password. */
function keysOf({ box }: Config, store: Store): string[] {
  const product = parseProductId(box.product_id);
  const registered = product.ok ? store.directory.product(product.value)?.productKey : undefined;
  return [...new Set([box.product_key, registered, box.access_key].filter(key => key !== undefined))];
}

/** Null: no line for devices is configured, so that joining the network is all there is (CONTRACT 7). */
function platformAbove(config: Config, upstream: Upstream): PlatformAbove | null {
  if (!hasLine(config)) return null;
  const { box } = config;
  const doors = [config.upstream?.device_mqtt, config.upstream?.device_http].flatMap(url =>
    url === undefined ? [] : [doorOf(new URL(url))],
  );
  const { access_key: accessKey } = box;
  if (accessKey === undefined) return { doors, login: null };
  const clientId = deviceIdOf(config);
  const password = mqttPassword({ deviceId: clientId, productId: box.product_id, accessKey });
  return { doors, login: () => upstream.tryLogin({ clientId, userName: box.product_id, password }) };
}

const usualPorts: Readonly<Record<string, number>> = { 'mqtts:': 8883, 'mqtt:': 1883, 'https:': 443, 'http:': 80 };

const doorOf = ({ protocol, hostname, port }: URL): { host: string; port: number } => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (usualPorts[protocol] ?? 443) : Number(port),
});
