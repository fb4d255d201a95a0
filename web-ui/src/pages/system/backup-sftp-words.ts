import { area } from '../../words/index.ts';

export const words = area(
  {
    title: 'Keys for the SFTP server',
    keyLead:
      'The box logs in with its own key, without a password. Add this line to ~/.ssh/authorized_keys of the user at the server.',
    publicKey: 'Public key of the box',
    unknown: 'The server is not known yet: nothing is sent to it before you have confirmed its key.',
    known: 'The server is known by its key',
    fixed: 'The config file names the key of the server:',
    ask: 'Ask the server for its key',
    test: 'Test the connection',
    asking: 'The server is being asked …',
    compare: 'The server shows this key. Compare it with what the server itself says to',
    changed:
      'The server shows another key than before. Find out why: it may have been set up again, or another machine answers in its place. Compare the new key with what the server itself says to',
    confirm: 'It is the same: trust this server',
    good: 'The server let the box in, and a file could be written there.',
  },
  {
    title: 'SFTP 服务器的密钥',
    keyLead: '网关用自己的密钥登录，不用密码。请把下面这一行加入服务器上该用户的 ~/.ssh/authorized_keys。',
    publicKey: '网关的公钥',
    unknown: '尚未确认服务器的密钥，确认之前不会向它发送任何内容。',
    known: '已确认的服务器密钥：',
    fixed: '配置文件中指定的服务器密钥：',
    ask: '查询服务器的密钥',
    test: '测试连接',
    asking: '正在连接服务器……',
    compare: '服务器出示了以下密钥。请与在服务器上运行这条命令得到的结果核对：',
    changed:
      '服务器出示的密钥与以前不同。请先查明原因：可能重装过系统，也可能有其他机器冒充。请与在服务器上运行这条命令得到的结果核对：',
    confirm: '核对一致，信任此服务器',
    good: '登录成功，可以写入文件。',
  },
);
