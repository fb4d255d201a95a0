import type { LoginRefusalCode } from '../../../src/platform/refusals.ts';
import { area } from './index.ts';

/** A map with any key, so that codes of a newer box are shown as they are. */
type Map = Readonly<Record<string, string>>;
type LoginRefusals = Readonly<Record<LoginRefusalCode, string>> & Map;

/** Why a login was refused, and what helps. */
export const refusalWords = area(
  {
    of: (code: string, detail: string, message: string) =>
      ({
        unknown_product: `No product ${detail} is known here. Add it, or correct the device id on the device.`,
        wrong_password:
          'Its key is not known here. Compare the key on the device with that of its product, or set the key of this device.',
        old_key_after_activation:
          'It logs in with the product key, but it has a key of its own. After a factory reset, accept the product key for 15 minutes.',
        blocked: 'It is blocked here.',
        box_not_listed:
          'This box sends batches, and is not listed here. It keeps its records and tries again every half minute.',
        box_used_twice:
          'Two boxes use this identity, as after a card was copied. The second one is refused; both keep their records. Switch one off; to go on with the other, remove the box from the list and approve it again.',
        too_many_new_devices: `The limit of new devices of ${detail} in an hour is reached. If they are yours, let new ones in for an hour; if not, somebody else has the product key: change it.`,
        tls: 'The TLS handshake failed. Put the trust store of this box on the device. A browser that warns of the certificate is listed here too.',
      })[code] ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
  },
  {
    of: (code, detail, message) =>
      (
        ({
          bad_device_id: '设备编号格式不对，应为“产品编号_序列号”。请在设备上改正，标签上印有正确的编号。',
          unknown_product: `本网关没有产品 ${detail}。请添加该产品，或在设备上改正设备编号。`,
          user_name_is_not_the_product: '用户名与设备编号中的产品编号不一致。请在设备上把用户名改为产品编号。',
          wrong_password: '密钥不对。请核对设备上的密钥与产品密钥，或为这台设备设置它自己的密钥。',
          missing_password: '设备没有发送密码。请检查设备的登录设置。',
          old_key_after_activation:
            '设备已激活，却仍用产品密钥登录。如果刚恢复过出厂设置，请允许使用产品密钥 15 分钟。',
          key_of_other_environment: '设备用的是另一个环境的产品密钥（测试与正式混用）。请在设备上换成本环境的密钥。',
          password_of_other_device:
            '密码属于同一产品的另一台设备。设备可能是复制或改过编号的，请按它自己的编号重新计算密码。',
          password_is_the_key: '设备直接发送了密钥，没有按要求计算 MD5。请联系设备厂家。',
          password_padded:
            '密码后面，或计算密码所用的密钥后面，带有换行符、空格或 NUL。请在设备上去掉：密码正好 32 个字符；从文件读取的密钥常带换行符。',
          password_without_device_id: 'MD5 的拼接顺序或内容不对，应为：设备编号-产品编号-密钥。请联系设备厂家。',
          wrong_door: '该产品不允许这种接入方式。请修改产品的接入方式，或改设备的设置。',
          blocked: '这台设备已在本网关停用。',
          box_not_listed: '这个下级网关要上送批量数据，但尚未在本网关登记。它保留记录，每半分钟重试一次。',
          box_used_twice:
            '有两个网关使用同一身份（例如复制了存储卡）。第二个已被拒绝，两者都保留各自的记录。请关闭其中一个；若要改用另一个，请把该网关移出列表后重新批准。',
          too_many_failures:
            '该地址或该设备编号登录失败次数过多，未核对密码。密钥正确的设备会自动重试接入；请改正密钥错误的设备。',
          too_many_new_devices: `一小时内产品 ${detail} 的新设备已达上限。如果是您的设备，请允许新设备接入一小时；否则产品密钥可能已泄露，请更换。`,
          cloud_refused: '本网关不认识它的密钥，云平台也拒绝了。请重新激活设备，或改正密钥。',
          cloud_unreachable: '本网关不认识它的密钥，云平台又断开，无法核实。云平台恢复后会自动接入。',
          store_unavailable: '本网关的磁盘无法写入。请检查磁盘是否已满或损坏。',
          foreign_subscribe: '设备订阅了不属于自己的主题。请让设备厂家改正。',
          too_many_calls: '调用过于频繁。请稍候。',
          connect_too_large: '连接的第一个数据包过大，不是设备登录。登录包（CONNECT）最多 2048 字节。',
          connect_not_text: 'HTTP 登录请求中的 clientId、userName、password 必须是文本（加引号）。请让设备厂家改正。',
          too_many_connections: '未登录的连接过多，新的连接已被拒绝。请查找该地址上是什么在不断连接；设备会自动重试。',
          tls: '加密连接失败。请把本网关的证书安装到设备上。浏览器提示证书不受信任时也会出现在这里。',
        }) satisfies LoginRefusals as Map
      )[code] ?? message,
  },
);
