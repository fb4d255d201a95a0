import { finding, setClock } from './findings.ts';
import type { Sentence } from './sentences.ts';

interface Host {
  readonly host: string;
}
interface Port extends Host {
  readonly port: number;
}
/** `reason`: what the system reported; empty: it was silent for too long. */
interface Failed extends Host {
  readonly reason: string;
}
interface Signed extends Host {
  readonly issuer: string;
  readonly until: string;
}
const openPort: Sentence<Port> = {
  en: ({ host, port }) => `let port ${port} to ${host} through the firewall of the site`,
  zh: ({ host, port }) => `请在防火墙上放行到 ${host} 端口 ${port} 的连接。`,
};
const ntp: Sentence<unknown> = {
  en: 'switch on NTP on the box, or let UDP port 123 through the firewall',
  zh: '请在网关上开启 NTP，或在防火墙上放行 UDP 123 端口。',
};

/** On the way to the cloud, and of the clock. */
export const networkFindings = {
  address: finding(
    ({ addresses }: { addresses: string }) => `at ${addresses}`,
    ({ addresses }) => `地址 ${addresses}`,
  ),
  no_address: finding('no network interface has an address', '没有网卡获得 IP 地址', {
    en: 'plug in the cable or join the wifi; if the cable is in, the network gives out no addresses (DHCP)',
    zh: '请插好网线或连接无线网络。如果网线已插好，说明网络没有分配地址（DHCP）。',
  }),
  gateway: finding(
    ({ gateway, name }: { gateway: string; name: string }) => `${gateway} by ${name}`,
    ({ gateway, name }) => `经 ${name} 到 ${gateway}`,
  ),
  no_gateway: finding(
    'there is no default route: nothing outside this network can be reached',
    '没有默认路由，无法访问外部网络',
    {
      en: 'give the network a gateway: in the DHCP of the router, or in the fixed address of the box',
      zh: '请在路由器的 DHCP 或网关的固定地址中设置默认网关。',
    },
  ),

  no_name: finding(
    ({ host }: Host) => `${host} is an address: no name server is needed`,
    ({ host }) => `${host} 是 IP 地址，不需要解析`,
  ),
  dns: finding(
    ({ host, addresses }: Host & { addresses: string }) => `${host} is ${addresses}`,
    ({ host, addresses }) => `${host} 解析为 ${addresses}`,
  ),
  dns_unknown: finding(
    ({ host }: Host) => `the name server does not know ${host}`,
    ({ host }) => `域名服务器找不到 ${host}`,
    {
      en: ({ host }) => `check the spelling of ${host} in the config, and whether it exists`,
      zh: ({ host }) => `请检查配置中 ${host} 是否写对，以及该域名是否存在。`,
    },
  ),
  dns_silent: finding(
    ({ host, reason }: Failed) => `the name server has no answer for ${host} (${reason || 'silent'})`,
    ({ host, reason }) => `域名服务器没有给出 ${host} 的地址（${reason || '没有响应'}）`,
    {
      en: 'check the DNS settings of the box and of the router',
      zh: '请检查网关和路由器的 DNS 设置。',
    },
  ),
  tcp: finding(
    ({ port }: { port: number }) => `port ${port} is open`,
    ({ port }) => `端口 ${port} 已开放`,
  ),
  tcp_refused: finding(
    ({ host, port }: Port) => `nothing listens on port ${port} of ${host}`,
    ({ host, port }) => `可以到达 ${host}，但端口 ${port} 没有服务`,
    {
      en: ({ port }) =>
        `check the port in the config; if it is right, the cloud is down or a firewall refuses port ${port}`,
      zh: ({ port }) => `请检查配置中的端口。如果没有写错，则云平台已停机，或防火墙拒绝了端口 ${port}。`,
    },
  ),
  tcp_silent: finding(
    ({ host, port }: Port) => `port ${port} of ${host} does not answer`,
    ({ host, port }) => `${host} 的端口 ${port} 没有响应`,
    openPort,
  ),
  tcp_failed: finding(
    ({ host, port, reason }: Port & Failed) => `port ${port} of ${host} cannot be reached (${reason})`,
    ({ host, port, reason }) => `无法连接 ${host} 的端口 ${port}（${reason}）`,
    openPort,
  ),
  tls_trusted: finding(
    ({ issuer, until }: Signed) => `signed by ${issuer}, until ${until}`,
    ({ issuer, until }) => `由 ${issuer} 签发，有效期至 ${until}`,
  ),
  tls_off: finding(
    ({ host }: Host) =>
      `the connection to ${host} is not encrypted (upstream.insecure): anybody on the way can read and change the data`,
    ({ host }) => `到 ${host} 的连接没有加密（upstream.insecure）：途经的任何人都可以查看和篡改数据`,
    { en: 'write mqtts:// or https:// in the config', zh: '请在配置中改用 mqtts:// 或 https://。' },
  ),
  tls_none: finding(
    ({ host, reason }: Failed) => `the TLS handshake with ${host} failed (${reason || 'no answer in time'})`,
    ({ host, reason }) => `与 ${host} 建立加密连接失败（${reason || '没有及时响应'}）`,
    {
      en: ({ host }) =>
        `check whether the address uses TLS, whether a captive portal (login page) answers at http://${host}/ in a browser of this network, and whether a firewall intercepts encrypted connections`,
      zh: ({ host }) =>
        `请检查该地址是否使用 TLS；在本网络的浏览器中打开 http://${host}/，看是否出现认证登录页面（captive portal）；并检查防火墙是否拦截了加密连接。`,
    },
  ),
  tls_name: finding(
    ({ name, issuer, host }: Signed & { name: string }) =>
      `the certificate there is for ${name || 'another name'}, signed by ${issuer}, not for ${host}`,
    ({ name, issuer, host }) =>
      `对方的证书属于${name === '' ? '其他名称' : ` ${name}`}（由 ${issuer} 签发），不属于 ${host}`,
    {
      en: ({ host }) =>
        `a captive portal (login page) of this network is probably answering: open http://${host}/ in a browser of this network; if no login page appears, check the address in the config: a firewall may be answering in place of the cloud`,
      zh: ({ host }) =>
        `很可能是本网络的认证登录页面（captive portal）在应答：请在本网络的浏览器中打开 http://${host}/ 并登录。如果没有出现登录页面，请检查配置中的地址；也可能是防火墙冒充了云平台。`,
    },
  ),
  tls_early: finding(
    ({ host }: Host) => `the certificate of ${host} is not valid yet: the clock of the box is behind`,
    ({ host }) => `${host} 的证书尚未生效：网关的时钟慢了`,
    setClock,
  ),
  tls_expired: finding(
    ({ host, until }: Signed) => `the certificate of ${host} expired ${until}`,
    ({ host, until }) => `${host} 的证书已于 ${until} 到期`,
    {
      en: 'check the clock of the box; if it is right, the operator of the cloud has to renew the certificate',
      zh: '请检查网关的时钟。如果时钟正确，需要由对方更新证书。',
    },
  ),
  tls_untrusted: finding(
    ({ issuer, reason }: Signed & Failed) =>
      `the certificate is signed by ${issuer}, unknown to the box${reason === '' ? '' : ` (${reason})`}`,
    ({ issuer, reason }) => `证书由 ${issuer} 签发，网关不信任该签发者${reason === '' ? '' : `（${reason}）`}`,
    {
      en: 'if the cloud has an authority of its own, put its root into upstream.ca; otherwise a firewall intercepts encrypted connections',
      zh: '如果云平台使用自己的根证书，请写入 upstream.ca；否则是防火墙拦截了加密连接。',
    },
  ),
  login: finding('the cloud accepts this box', '云平台允许本网关登录'),
  login_refused: finding('the platform refused: access authentication failed', '云平台拒绝登录：接入认证失败', {
    en: 'check product_id, device_sn and access_key of the box, and whether it is registered at the cloud',
    zh: '请检查网关的 product_id、device_sn 和 access_key，以及是否已在云平台登记。',
  }),
  login_unreachable: finding('the platform did not answer the login in time', '云平台没有及时响应登录', {
    en: 'try again in a minute; if that does not help, ask the operator of the cloud',
    zh: '请一分钟后再试。如果仍然如此，请联系云平台的管理方。',
  }),

  clock: finding(
    ({ seconds, host }: Host & { seconds: number }) => `within ${seconds} s of ${host}`,
    ({ seconds, host }) => `与 ${host} 相差不到 ${seconds} 秒`,
  ),
  clock_ntp: finding('set by the network (NTP)', '已由网络校时（NTP）'),
  clock_wild: finding(
    ({ day }: { day: string }) => `the clock says ${day}`,
    ({ day }) => `时钟显示 ${day}`,
    ntp,
  ),
  clock_ahead: finding(
    ({ seconds, host }: Host & { seconds: number }) => `${seconds} s ahead of ${host}`,
    ({ seconds, host }) => `比 ${host} 快 ${seconds} 秒`,
    ntp,
  ),
  clock_behind: finding(
    ({ seconds, host }: Host & { seconds: number }) => `${seconds} s behind ${host}`,
    ({ seconds, host }) => `比 ${host} 慢 ${seconds} 秒`,
    ntp,
  ),
  clock_of_host: finding(
    'nothing to compare the clock with: the clock of a container is that of its machine',
    '没有可对照的时间：容器使用所在机器的时钟',
    {
      en: 'compare it with a watch (the page Overview shows it), and switch on NTP on that machine',
      zh: '请与手表核对（时间见“概况”），并在该机器上开启 NTP。',
    },
  ),
  clock_unknown: finding(
    'nothing to compare the clock with: the system does not say that NTP sets it',
    '没有可对照的时间；系统没有说明是否由 NTP 校时',
    {
      en: 'compare it with a watch (the page Overview shows it), and switch on NTP',
      zh: '请与手表核对（时间见“概况”），并开启 NTP。',
    },
  ),
};
