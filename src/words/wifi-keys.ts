import { sentences } from './sentences.ts';

/** Why a password, or a kind of network, does not fit. */
export const wifiKeyProblems = sentences({
  wifi_kind_unknown: {
    en: 'write none, WEP64, WEP128, WPA-PSK-TKIP, WPA-PSK-AES, WPA2-PSK-TKIP or WPA2-PSK-AES',
    zh: '加密方式应为 none、WEP64、WEP128、WPA-PSK-TKIP、WPA-PSK-AES、WPA2-PSK-TKIP 或 WPA2-PSK-AES',
  },
  wifi_asks_user_name: {
    en: 'the network asks for a user name (enterprise): ask for one with a password',
    zh: '该网络需要用户名（企业级认证）：请使用凭密码连接的网络',
  },
  wep_key_length: {
    en: 'a WEP key has 5 or 13 characters, or 10 or 26 hex digits',
    zh: 'WEP 密钥为 5 或 13 个字符，或 10 或 26 位十六进制数',
  },
  wifi_password_length: {
    en: 'a wifi password has 8 to 63 characters, or 64 hex digits',
    zh: 'Wi-Fi 密码为 8 至 63 个字符，或 64 位十六进制数',
  },
});
