import { sentences } from './sentences.ts';

/** Name of what was refused, such as the id of a product, or empty; never a secret. */
type Refused = { readonly detail: string };

/** `message`: what a device may hear. People read the remedy too. */
const refusal = (message: string, remedy: string, zh: string | ((refused: Refused) => string)) => ({
  message,
  en: ({ detail }: Refused) => `${message}${detail === '' ? '' : ` (${detail})`}: ${remedy}`,
  zh,
});

/**
 * Why something was refused, in one table that each gateway translates: MQTT to a CONNACK code or a
 * disconnect, HTTP to a status and a body code.
 */
export const refusalTexts = {
  bad_device_id: refusal(
    'the client id is no device ID: {product_id}_{device_sn}, letters, digits and hyphens, at most 64 characters',
    'set the device ID on the device; its label shows it',
    '设备编号格式不对，应为“产品编号_序列号”。请在设备上改正，标签上印有正确的编号。',
  ),
  connect_not_text: refusal(
    'a field of POST connect is no text',
    'send clientId, userName and password as text in quotes (SPEC 4.2)',
    'HTTP 登录请求中的 clientId、userName、password 必须是文本（加引号）。请让设备厂家改正。',
  ),
  unknown_product: refusal(
    'no product with this product_id is known here',
    'add the product to the site file and apply it, or correct the device ID on the device',
    ({ detail }) => `本网关没有产品 ${detail}。请添加该产品，或在设备上改正设备编号。`,
  ),
  user_name_is_not_the_product: refusal(
    'the user name is not the product_id of the device ID',
    'set the user name on the device to its product_id',
    '用户名与设备编号中的产品编号不一致。请在设备上把用户名改为产品编号。',
  ),
  wrong_password: refusal(
    'the password was made with a key that is not known here',
    'compare the key on the device with the one in the site file; `gatehouse sign mqtt` shows the string that is signed',
    '密钥不对。请核对设备上的密钥与产品密钥，或为这台设备设置它自己的密钥。',
  ),
  missing_password: refusal(
    'no password was sent',
    'the device must log in as SPEC 5.1 says: user name product_id, password MD5 in hex',
    '设备没有发送密码。请检查设备的登录设置。',
  ),
  old_key_after_activation: refusal(
    'signed with the product key, but this device is activated',
    'after a factory reset, press "accept product key" on the device page (15 min)',
    '设备已激活，却仍用产品密钥登录。如果刚恢复过出厂设置，请允许使用产品密钥 15 分钟。',
  ),
  key_of_other_environment: refusal(
    "signed with the product's key of the other environment",
    'the device carries the test key in production, or the other way round: set the key of this environment on it',
    '设备用的是另一个环境的产品密钥（测试与正式混用）。请在设备上换成本环境的密钥。',
  ),
  password_of_other_device: refusal(
    'the password belongs to another device ID of this product',
    'the device was cloned or renamed: compute the password again from its own device ID',
    '密码属于同一产品的另一台设备。设备可能是复制或改过编号的，请按它自己的编号重新计算密码。',
  ),
  password_is_the_key: refusal(
    'the key itself was sent instead of the MD5 over device_id-product_id-key',
    'compute the password as SPEC 5.1 says; `gatehouse sign mqtt` shows the string that is signed',
    '设备直接发送了密钥，没有按要求计算 MD5。请联系设备厂家。',
  ),
  password_padded: refusal(
    'a line end, blank or NUL stands behind the password, or behind the key that it is made from',
    'cut it off on the device: the password has 32 characters and no line end, and a key that is read from a file often has one',
    '密码后面，或计算密码所用的密钥后面，带有换行符、空格或 NUL。请在设备上去掉：密码正好 32 个字符；从文件读取的密钥常带换行符。',
  ),
  password_without_device_id: refusal(
    'the MD5 was made over another order or part of device_id, product_id and key',
    'sign device_id + "-" + product_id + "-" + key; `gatehouse sign mqtt` shows it',
    'MD5 的拼接顺序或内容不对，应为：设备编号-产品编号-密钥。请联系设备厂家。',
  ),
  wrong_door: refusal(
    'the product does not use this way in',
    'the product is registered for the other of MQTT and HTTP: change `access` of the product, or the device',
    '该产品不允许这种接入方式。请修改产品的接入方式，或改设备的设置。',
  ),
  blocked: refusal('the device is blocked here', 'unblock it on its page', '这台设备已在本网关停用。'),
  box_not_listed: refusal(
    'a box whose batches are not taken here: it is not listed',
    'approve it on the page Devices, or list it under `boxes` in the site file; it keeps its records and sends them again',
    '这个下级网关要上送批量数据，但尚未在本网关登记。它保留记录，每半分钟重试一次。',
  ),
  box_used_twice: refusal(
    'a second box with the identity of this one: a card was copied, or the box was replaced and still runs',
    'switch one of the two off; to go on with the other, remove the box from the list and approve it again; both keep their records',
    '有两个网关使用同一身份（例如复制了存储卡）。第二个已被拒绝，两者都保留各自的记录。请关闭其中一个；若要改用另一个，请把该网关移出列表后重新批准。',
  ),
  too_many_failures: refusal(
    'too many wrong logins from this address or for this device ID: the password was not looked at',
    'a device with the right key comes in by itself when it tries again; correct the key of the one that is wrong',
    '该地址或该设备编号登录失败次数过多，未核对密码。密钥正确的设备会自动重试接入；请改正密钥错误的设备。',
  ),
  too_many_new_devices: refusal(
    'as many new devices of this product came within an hour as admission.new_devices_per_hour allows',
    'if these devices are yours, let new ones in for an hour on the page Devices, or list them in the site file; else somebody else has the product key: change it',
    ({ detail }) =>
      `一小时内产品 ${detail} 的新设备已达上限。如果是您的设备，请允许新设备接入一小时；否则产品密钥可能已泄露，请更换。`,
  ),
  cloud_refused: refusal(
    'the key is not known here, and the cloud refused the login too',
    'activate the device again, or correct its key',
    '本网关不认识它的密钥，云平台也拒绝了。请重新激活设备，或改正密钥。',
  ),
  cloud_unreachable: refusal(
    'the key is not known here, and the cloud cannot be asked while the line is down',
    'once the line is up the device is let in by itself',
    '本网关不认识它的密钥，云平台又断开，无法核实。云平台恢复后会自动接入。',
  ),
  store_unavailable: refusal(
    'no record can be stored at present',
    '`gatehouse status` says why: a disk that is full or broken, or the database of a region',
    '目前无法存储记录。请在“系统”页面查看原因：磁盘已满或损坏，或区域的数据库有问题。',
  ),
  too_many_connections: refusal(
    'more connections that have not logged in than the box holds',
    'find what opens them at this address; devices behind one address try again by themselves',
    '未登录的连接过多，新的连接已被拒绝。请查找该地址上是什么在不断连接；设备会自动重试。',
  ),
  connect_too_large: refusal(
    'a connection began with a packet that is larger than a login may be',
    'a CONNECT has at most 2048 bytes: leave out the will, and send no message before the login',
    '连接的第一个数据包过大，不是设备登录。登录包（CONNECT）最多 2048 字节。',
  ),
  tls: refusal(
    'the TLS handshake failed',
    'put the trust store of this box on the device: `gatehouse trust export`',
    '加密连接失败。请把本网关的证书安装到设备上。浏览器提示证书不受信任时也会出现在这里。',
  ),
  bad_product_id: refusal(
    'a product_id has at most 16 digits, upper-case letters and hyphens',
    'correct the product_id',
    'product_id 最多 16 个字符，只能是数字、大写字母和连字符。请改正 product_id。',
  ),
  belongs_elsewhere: refusal(
    'the device belongs to another box',
    'move it on its page, or list it under that box in `boxes` of the site file',
    '设备属于其他网关。请在设备页面移动该设备，或在站点文件的 boxes 中把它列在该网关下。',
  ),
  foreign_subscribe: refusal(
    'subscribed to a topic other than its own $client/{device_id}',
    'correct the topic in the firmware: SPEC 4.1 allows no other',
    '设备订阅了不属于自己的主题。请让设备厂家改正。',
  ),
  foreign_publish: refusal(
    "published to another device's topic",
    "correct the topic in the firmware: the sn of log/{model}/{sn} is the device's own; nothing is published to $client/…",
    '设备向其他设备的主题发布了消息。请让设备厂家改正：log/{model}/{sn} 中的 sn 为设备自己的序列号，不得发布到 $client/…。',
  ),
  foreign_sender: refusal(
    'the envelope names another device as its sender',
    'set `from` to the device ID that is logged in',
    '消息信封中的发送方是另一台设备。请把 from 设为已登录的设备编号。',
  ),
  unknown_topic: refusal(
    'published to a topic that is neither device nor its own log/{model}/{sn}',
    'correct the topic in the firmware; what was sent there is dropped',
    '主题既不是 device，也不是设备自己的 log/{model}/{sn}，消息未被接收。请在设备固件中改正主题。',
  ),
  too_large: refusal(
    'the message is larger than is allowed',
    'split it, or raise limits.message_bytes',
    '消息超过允许的大小。请拆分，或调高 limits.message_bytes。',
  ),
  qos2: refusal(
    'published with QoS 2',
    'set the device to QoS 0 or 1: SPEC 4.1 has no other',
    '以 QoS 2 发布。请把设备设为 QoS 0 或 1。',
  ),
  malformed: refusal(
    'the message is no JSON object',
    'send the envelope of SPEC 2.5 as UTF-8 JSON',
    '消息不是 JSON 对象。请以 UTF-8 编码的 JSON 发送规范 2.5 的信封。',
  ),
  bad_data: refusal(
    'the data of the message does not fit its action',
    'see the action table in docs/devices.md',
    '消息的 data 与其动作不符。请查看 docs/devices.md 的动作表。',
  ),
  too_many_calls: refusal('called more often than is allowed', 'wait as Retry-After says', '调用过于频繁。请稍候。'),
  bad_frame: refusal(
    'the bytes are no frame of SPEC 4.4',
    'send 40 44 4c fa, the command, the length in two bytes, the payload and the checksum',
    '字节不是规范 4.4 的帧。请发送 40 44 4c fa、命令、两字节长度、数据和校验和。',
  ),
  bad_checksum: refusal(
    'the checksum of the frame is wrong',
    'send the low byte of the sum of all bytes before it, the header included',
    '帧的校验和错误。校验和为其前全部字节（含帧头）之和的低字节。',
  ),
  bad_payload: refusal(
    'the payload of the frame does not fit its command',
    'see the tables in docs/provisioning.md',
    '帧的数据与其命令不符。请查看 docs/provisioning.md 的表。',
  ),
  qr_no_address: refusal(
    'the text of the QR code is no address',
    'scan the code on the device: its text begins with https://',
    '二维码的内容不是网址。请扫描设备上的二维码：其内容以 https:// 开头。',
  ),
  qr_unknown_form: refusal(
    "the address has none of the forms of a device's QR code",
    'scan another code: that of a device ends with /d/{device_id}/activate, or has device= behind the question mark',
    '网址不是设备二维码的格式。请扫描其他二维码：设备二维码以 /d/设备编号/activate 结尾，或问号后带有 device=。',
  ),
  qr_bad_value: refusal(
    'a value of the QR code has other characters than letters, digits, hyphens and underscores, or more than 64',
    'print the code again: `gatehouse qr` makes it',
    '二维码中有字母、数字、连字符和下划线以外的字符，或超过 64 个字符。请重新打印：`gatehouse qr` 可以生成。',
  ),
  qr_bad_device: refusal(
    'the QR code names something that is no device ID',
    'print the code again with the device ID {product_id}_{device_sn}: `gatehouse qr` makes it',
    '二维码中的设备编号格式不对。请用设备编号 产品编号_序列号 重新打印：`gatehouse qr` 可以生成。',
  ),
  qr_no_product: refusal(
    'the QR code names neither a device nor a product',
    'print the code again: `gatehouse qr` makes it',
    '二维码中既没有设备也没有产品。请重新打印：`gatehouse qr` 可以生成。',
  ),
  qr_too_long: refusal(
    'the text is longer than a QR code can be',
    'scan one code at a time',
    '文本超过二维码的长度。请一次扫描一个。',
  ),
  no_labels: refusal(
    'there is no device to make a label for',
    'name device IDs of a known product, or list the devices in the site file and apply it',
    '没有可以制作标签的设备。请指定已知产品的设备编号，或在站点文件中列出设备并应用。',
  ),
  too_many_labels: refusal(
    'these are more labels than fit one sheet of 2000',
    'name one product, or the devices themselves',
    '标签超过一张 2000 个的上限。请指定一个产品，或指定设备。',
  ),
} as const;

export type RefusalCode = keyof typeof refusalTexts;

export const refusals = sentences(refusalTexts);
