import { area } from '../../words/index.ts';

export const words = area(
  {
    sentence: (days: number) =>
      days < 0
        ? 'The certificate of the box has expired.'
        : days < 30
          ? `The certificate of the box expires in ${days} days.`
          : 'The certificate of the box is valid.',
    notTrusted:
      'This browser does not trust the certificate yet. Install the certificate authority as described below; the warning goes away, and the pages can be installed as an app.',
    ca: 'Certificate authority',
    lead: 'Devices and browsers that trust this authority trust the box. Compare the fingerprint with the one that the device shows before you accept it.',
    fingerprint: 'Fingerprint (SHA-256)',
    name: 'Name',
    made: 'Made by the box itself.',
    fromSite: 'Provided by the site (tls in the config).',
    until: 'Valid until',
    served: 'Certificate of the box',
    names: 'For these names',
    signer: 'Signed by',
    download: 'Download',
    crt: 'For Windows and Android (.crt)',
    apple: 'For iPhone, iPad, Mac (.mobileconfig)',
    pem: 'As text (.pem)',
    how: 'How to trust it',
    windows: [
      'Windows: download the .crt file and open it.',
      'Choose "Install certificate", then "Local machine".',
      'Choose "Place all certificates in the following store", then "Trusted Root Certification Authorities".',
      'Close the browser and open it again.',
    ].join('\n'),
    android: [
      'Android: download the .crt file.',
      'Open Settings, Security, "Install a certificate", "CA certificate".',
      'Choose "Install anyway", then the file.',
    ].join('\n'),
    iphone: [
      'iPhone and iPad: open this page in Safari and download the .mobileconfig file.',
      'Open Settings, "Profile downloaded", and install it.',
      'Open Settings, General, About, "Certificate Trust Settings", and switch it on.',
    ].join('\n'),
    mac: [
      'Mac: download the .mobileconfig file and open it.',
      'Open System Settings, "Profiles", and install it.',
    ].join('\n'),
  },
  {
    sentence: days =>
      days < 0 ? '网关的证书已到期。' : days < 30 ? `网关的证书将在 ${days} 天后到期。` : '网关的证书有效。',
    notTrusted: '此浏览器尚未信任网关的证书。请按下文安装根证书：安装后不再出现警告，也可将页面安装为应用。',
    ca: '网关的根证书',
    lead: '信任此根证书的设备和浏览器就会信任本网关。安装前请核对设备上显示的指纹。',
    fingerprint: '指纹（SHA-256）',
    name: '名称',
    made: '由网关自己生成。',
    fromSite: '由本单位提供（配置中的 tls）。',
    until: '有效期至',
    served: '网关出示的证书',
    names: '适用的名称',
    signer: '签发者',
    download: '下载',
    crt: '用于 Windows 和安卓（.crt）',
    apple: '用于 iPhone、iPad、Mac（.mobileconfig）',
    pem: '文本格式（.pem）',
    how: '如何信任',
    windows: [
      'Windows：下载 .crt 文件并打开。',
      '选择“安装证书”，再选择“本地计算机”。',
      '选择“将所有的证书都放入下列存储”，再选择“受信任的根证书颁发机构”。',
      '关闭浏览器后重新打开。',
    ].join('\n'),
    android: [
      '安卓：下载 .crt 文件。',
      '打开“设置”—“安全”—“安装证书”—“CA 证书”。',
      '选择“仍然安装”，然后选中该文件。',
    ].join('\n'),
    iphone: [
      'iPhone 和 iPad：用 Safari 打开本页，下载 .mobileconfig 文件。',
      '打开“设置”—“已下载描述文件”，进行安装。',
      '打开“设置”—“通用”—“关于本机”—“证书信任设置”，将其打开。',
    ].join('\n'),
    mac: ['Mac：下载 .mobileconfig 文件并打开。', '打开“系统设置”—“描述文件”，进行安装。'].join('\n'),
  },
);
