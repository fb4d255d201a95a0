/** Why a login was refused. The page Devices shows each of these, in both languages. */
const loginRefusals = {
  bad_device_id: {
    message:
      'the client id is no device id: {product_id}_{device_sn}, letters, digits and hyphens, at most 64 characters',
    remedy: 'set the device id on the device; its label shows it',
  },
  connect_not_text: {
    message: 'a field of POST connect is no text',
    remedy: 'send clientId, userName and password as text in quotes (SPEC 4.2)',
  },
  unknown_product: {
    message: 'no product with this product_id is known here',
    remedy: 'add the product to the site file and apply it, or correct the device id on the device',
  },
  user_name_is_not_the_product: {
    message: 'the user name is not the product_id of the device id',
    remedy: 'set the user name on the device to its product_id',
  },
  wrong_password: {
    message: 'the password was made with a key that is not known here',
    remedy:
      'compare the key on the device with the one in the site file; `gatehouse sign mqtt` shows the string that is signed',
  },
  missing_password: {
    message: 'no password was sent',
    remedy: 'the device must log in as SPEC 5.1 says: user name product_id, password MD5 in hex',
  },
  old_key_after_activation: {
    message: 'signed with the product key, but this device is activated',
    remedy: 'after a factory reset, press "accept product key" on the device page (15 min)',
  },
  key_of_other_environment: {
    message: "signed with the product's key of the other environment",
    remedy:
      'the device carries the test key in production, or the other way round: set the key of this environment on it',
  },
  password_of_other_device: {
    message: 'the password belongs to another device id of this product',
    remedy: 'the device was cloned or renamed: compute the password again from its own device id',
  },
  password_is_the_key: {
    message: 'the key itself was sent instead of the MD5 over device_id-product_id-key',
    remedy: 'compute the password as SPEC 5.1 says; `gatehouse sign mqtt` shows the string that is signed',
  },
  password_padded: {
    message: 'a line end, blank or NUL stands behind the password, or behind the key that it is made from',
    remedy:
      'cut it off on the device: the password has 32 characters and no line end, and a key that is read from a file often has one',
  },
  password_without_device_id: {
    message: 'the MD5 was made over another order or part of device_id, product_id and key',
    remedy: 'sign device_id + "-" + product_id + "-" + key; `gatehouse sign mqtt` shows it',
  },
  wrong_door: {
    message: 'the product does not use this way in',
    remedy: 'the product is registered for the other of MQTT and HTTP: change `access` of the product, or the device',
  },
  blocked: { message: 'the device is blocked here', remedy: 'unblock it on its page' },
  box_not_listed: {
    message: 'a box whose batches are not taken here: it is not listed',
    remedy:
      'approve it on the page Devices, or list it under `boxes` in the site file; it keeps its records and sends them again',
  },
  box_used_twice: {
    message: 'a second box with the identity of this one: a card was copied, or the box was replaced and still runs',
    remedy:
      'switch one of the two off; to go on with the other, remove the box from the list and approve it again; both keep their records',
  },
  too_many_failures: {
    message: 'too many wrong logins from this address or for this device id: the password was not looked at',
    remedy:
      'a device with the right key comes in by itself when it tries again; correct the key of the one that is wrong',
  },
  too_many_new_devices: {
    message: 'as many new devices of this product came within an hour as admission.new_devices_per_hour allows',
    remedy:
      'if these devices are yours, let new ones in for an hour on the page Devices, or list them in the site file; else somebody else has the product key: change it',
  },
  cloud_refused: {
    message: 'the key is not known here, and the cloud refused the login too',
    remedy: 'activate the device again, or correct its key',
  },
  cloud_unreachable: {
    message: 'the key is not known here, and the cloud cannot be asked while the line is down',
    remedy: 'once the line is up the device is let in by itself',
  },
  store_unavailable: {
    message: 'the box cannot write to its disk',
    remedy: '`gatehouse status` and `gatehouse doctor` say whether the disk is full or broken',
  },
  too_many_connections: {
    message: 'more connections that have not logged in than the box holds',
    remedy: 'find what opens them at this address; devices behind one address try again by themselves',
  },
  connect_too_large: {
    message: 'a connection began with a packet that is larger than a login may be',
    remedy: 'a CONNECT has at most 2048 bytes: leave out the will, and send no message before the login',
  },
  tls: {
    message: 'the TLS handshake failed',
    remedy: 'put the trust store of this box on the device: `gatehouse trust export`',
  },
} as const;

/**
 * Why something was refused, in one table that each gateway translates: MQTT to a CONNACK code or a
 * disconnect, HTTP to a status and a body code. The device hears only what SPEC allows; people at
 * the box read `message` and `remedy`.
 */
export const refusals = {
  ...loginRefusals,
  bad_product_id: {
    message: 'a product_id has at most 16 digits, upper-case letters and hyphens',
    remedy: 'correct the product_id',
  },
  belongs_elsewhere: {
    message: 'the device belongs to another box',
    remedy: 'move it on its page, or list it under that box in `boxes` of the site file',
  },
  foreign_subscribe: {
    message: 'subscribed to a topic other than its own $client/{device id}',
    remedy: 'correct the topic in the firmware: SPEC 4.1 allows no other',
  },
  foreign_publish: {
    message: "published to another device's topic",
    remedy:
      "correct the topic in the firmware: the sn of log/{model}/{sn} is the device's own; nothing is published to $client/…",
  },
  foreign_sender: {
    message: 'the envelope names another device as its sender',
    remedy: 'set `from` to the device id that is logged in',
  },
  unknown_topic: {
    message: 'published to a topic that is neither device nor its own log/{model}/{sn}',
    remedy: 'correct the topic in the firmware; what was sent there is dropped',
  },
  too_large: { message: 'the message is larger than is allowed', remedy: 'split it, or raise limits.message_bytes' },
  qos2: {
    message: 'published with QoS 2',
    remedy: 'set the device to QoS 0 or 1: SPEC 4.1 has no other',
  },
  malformed: { message: 'the message is no JSON object', remedy: 'send the envelope of SPEC 2.5 as UTF-8 JSON' },
  bad_data: {
    message: 'the data of the message does not fit its action',
    remedy: 'see the action table in docs/devices.md',
  },
  too_many_calls: { message: 'called more often than is allowed', remedy: 'wait as Retry-After says' },
  bad_frame: {
    message: 'the bytes are no frame of SPEC 4.4',
    remedy: 'send 40 44 4c fa, the command, the length in two bytes, the payload and the checksum',
  },
  bad_checksum: {
    message: 'the checksum of the frame is wrong',
    remedy: 'send the low byte of the sum of all bytes before it, the header included',
  },
  bad_payload: {
    message: 'the payload of the frame does not fit its command',
    remedy: 'see the tables in docs/provisioning.md',
  },
  qr_no_address: {
    message: 'the text of the QR code is no address',
    remedy: 'scan the code on the device: its text begins with https://',
  },
  qr_unknown_form: {
    message: "the address has none of the forms of a device's QR code",
    remedy:
      'scan another code: that of a device ends with /d/{device id}/activate, or has device= behind the question mark',
  },
  qr_bad_value: {
    message:
      'a value of the QR code has other characters than letters, digits, hyphens and underscores, or more than 64',
    remedy: 'print the code again: `gatehouse qr` makes it',
  },
  qr_bad_device: {
    message: 'the QR code names something that is no device id',
    remedy: 'print the code again with the device id {product_id}_{device_sn}: `gatehouse qr` makes it',
  },
  qr_no_product: {
    message: 'the QR code names neither a device nor a product',
    remedy: 'print the code again: `gatehouse qr` makes it',
  },
  qr_too_long: {
    message: 'the text is longer than a QR code can be',
    remedy: 'scan one code at a time',
  },
  no_labels: {
    message: 'there is no device to make a label for',
    remedy: 'name device ids of a known product, or list the devices in the site file and apply it',
  },
  too_many_labels: {
    message: 'these are more labels than fit one sheet of 2000',
    remedy: 'name one product, or the devices themselves',
  },
} as const;

export type LoginRefusalCode = keyof typeof loginRefusals;
export type RefusalCode = keyof typeof refusals;

/** Refused before the login was read: only the address is known, not the device. */
export const isBeforeLogin = (code: string): boolean =>
  code === 'tls' || code === 'connect_too_large' || code === 'too_many_connections';

/** `detail` names the thing that was refused; never a secret. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly detail: string;
}

/** One sentence for a person: what, why, and what to do. */
export function explainRefusal({ code, detail }: Refusal): string {
  const { message, remedy } = refusals[code];
  return `${message}${detail ? ` (${detail})` : ''}: ${remedy}`;
}
