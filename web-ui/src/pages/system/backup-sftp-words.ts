import { area } from '../../words/index.ts';

export const words = area(
  {
    title: 'Keys for the SFTP server',
    keyLead: 'The gateway logs in with its own key. Add this line to ~/.ssh/authorized_keys of the user on the server.',
    publicKey: 'Public key of the gateway',
    unknown: 'Unknown server: no backup is sent until you confirm its key.',
    known: 'Confirmed server key',
    fixed: 'Server key set by the config file:',
    ask: 'Get server key',
    test: 'Test connection',
    asking: 'Connecting to the server …',
    compare: 'Compare this server key with the output on the server of',
    changed:
      'The server key has changed: the server was reinstalled, or another machine answers in its place. Compare the new key with the output on the server of',
    confirm: 'Keys match, trust this server',
    good: 'Login and write test OK',
  },
  {
    title: 'SFTP 服务器的密钥',
    keyLead: '网关用自己的密钥登录。请将下面一行加入服务器上该用户的 ~/.ssh/authorized_keys。',
    publicKey: '网关的公钥',
    unknown: '服务器未知：确认密钥前不发送备份。',
    known: '已确认的服务器密钥：',
    fixed: '配置文件中指定的服务器密钥：',
    ask: '获取服务器密钥',
    test: '测试连接',
    asking: '正在连接服务器……',
    compare: '请将此密钥与服务器上这条命令的输出核对：',
    changed: '服务器密钥已变化：可能重装过系统，也可能有其他机器冒充。请将新密钥与服务器上这条命令的输出核对：',
    confirm: '核对一致，信任此服务器',
    good: '登录和写入测试通过',
  },
);
