import type { OperationContext } from '../../domain.ts';
import type { StoreWrites } from '../../port/store.ts';
import { places } from '../../readers/rows.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

const deviceSetupsMax = 2000;

export function noteNetworkSetup(
  { sql }: OperationContext,
  { state, changedAt, ssid }: Input<'noteNetworkSetup'>,
): void {
  sql(
    `INSERT INTO network_setup (id, state, changed_at, ssid) VALUES (1, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at, ssid = excluded.ssid`,
  ).run(state, changedAt, ssid);
}

export function noteSetupAttempt(
  { sql }: OperationContext,
  { status, error, message, ssid, at }: Input<'noteSetupAttempt'>,
): void {
  sql(
    `INSERT INTO network_setup (id, state, changed_at, ssid, last_status, last_error, last_says, last_ssid, last_at)
       VALUES (1, 'new', ?5, '', ?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (id) DO UPDATE SET last_status = ?1, last_error = ?2, last_says = ?3, last_ssid = ?4, last_at = ?5`,
  ).run(status, error, message, ssid, at);
}

export function keepHotspotKey({ sql, seal }: OperationContext, { key, at }: Input<'keepHotspotKey'>): void {
  sql(
    `INSERT INTO network_setup (id, state, changed_at, ssid, sealed_hotspot_key) VALUES (1, 'new', ?, '', ?)
       ON CONFLICT (id) DO UPDATE SET sealed_hotspot_key = excluded.sealed_hotspot_key`,
  ).run(at, seal.sealText(key, places.hotspotKey));
}

export function noteDeviceSetup({ sql }: OperationContext, setup: Input<'noteDeviceSetup'>): void {
  sql(
    `INSERT INTO device_setup (device_id, model, status, error, message, mac, address, mask, gateway, via, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (device_id) DO UPDATE SET model = excluded.model, status = excluded.status, error = excluded.error, message = excluded.message,
         mac = excluded.mac, address = excluded.address, mask = excluded.mask, gateway = excluded.gateway, via = excluded.via, at = excluded.at`,
  ).run(
    setup.deviceId,
    setup.model,
    setup.status,
    setup.error,
    setup.message,
    setup.mac,
    setup.address,
    setup.mask,
    setup.gateway,
    setup.via,
    setup.at,
  );
  sql(
    'DELETE FROM device_setup WHERE device_id IN (SELECT device_id FROM device_setup ORDER BY at DESC LIMIT -1 OFFSET ?)',
  ).run(deviceSetupsMax);
}

export function rememberDevicePeer({ sql }: OperationContext, peer: Input<'rememberDevicePeer'>): void {
  sql(
    `INSERT INTO device_peer (model, service, write, notify, password_form) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (model) DO UPDATE SET service = excluded.service, write = excluded.write, notify = excluded.notify,
         password_form = excluded.password_form`,
  ).run(peer.model, peer.service, peer.write, peer.notify, peer.passwordForm);
}
