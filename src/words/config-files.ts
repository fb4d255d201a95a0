import { wordOf } from './audit-names.ts';
import { inChinese, sentences, type WithWhy } from './sentences.ts';

/** An error of the system by its code; others are the system's own words. */
export const readErrorEn = wordOf({
  ENOENT: 'there is no such file',
  EACCES: 'permission denied: let the user that runs this read it',
  EPERM: 'permission denied: let the user that runs this read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
});
const readErrorZh = wordOf({
  ENOENT: '没有此文件',
  EACCES: '没有权限：请允许运行本程序的用户读取',
  EPERM: '没有权限：请允许运行本程序的用户读取',
  EISDIR: '这是一个文件夹',
  ENOTDIR: '路径中的一部分不是文件夹',
  ERR_ENCODING_INVALID_ENCODED_DATA: '不是 UTF-8 文本',
});

/** `file`: empty where the value stands in the config itself. */
interface OfFile {
  readonly file: string;
}

/** Why the file of a value cannot be used; its content is never quoted. */
export const fileFaults = sentences({
  file_too_large: {
    en: ({ file }: OfFile) => `${file} is larger than 1 MiB: is it the right file?`,
    zh: ({ file }) => `${file} 超过 1 MiB：是这个文件吗？`,
  },
  file_unreadable: {
    en: ({ file, error }: OfFile & { error: string }) => `cannot read ${file}: ${readErrorEn(error)}`,
    zh: ({ file, error }) => `无法读取 ${file}：${readErrorZh(error)}`,
  },
  file_empty: {
    en: ({ file }: OfFile) => `${file} is empty: write the value into it`,
    zh: ({ file }) => `${file} 为空：请将值写入其中`,
  },
  no_certificate_in_file: {
    en: ({ file }: OfFile) => `${file} holds no PEM certificate (-----BEGIN CERTIFICATE-----)`.trimStart(),
    zh: ({ file }) => `${file} 不含 PEM 证书（-----BEGIN CERTIFICATE-----）`.trimStart(),
  },
  certificate_unreadable: {
    en: ({ file, number }: OfFile & { number: number }) =>
      `${file} certificate ${number} in it cannot be read`.trimStart(),
    zh: ({ file, number }) => `${file} 中的第 ${number} 个证书无法读取`.trimStart(),
  },
  no_key_in_file: {
    en: ({ file }: OfFile) => `${file} holds no PEM private key (-----BEGIN PRIVATE KEY-----)`.trimStart(),
    zh: ({ file }) => `${file} 不含 PEM 私钥（-----BEGIN PRIVATE KEY-----）`.trimStart(),
  },
  key_locked: {
    en: ({ file }: OfFile) =>
      `${file} is locked by a passphrase: write it out without one (openssl pkey -in … -out …)`.trimStart(),
    zh: ({ file }) => `${file} 有口令保护：请另存为不带口令的文件（openssl pkey -in … -out …）`.trimStart(),
  },
  key_of_other_certificate: {
    en: ({ file, name }: OfFile & { name: string }) => `${file} is not the key of ${name}`.trimStart(),
    zh: ({ file, name }) => `${file} 不是 ${name} 的密钥`.trimStart(),
  },
  host_not_in_certificate: {
    en: ({ file }: OfFile) =>
      `${file} is not in tls.legacy_cert, so that no device would accept it: write a name that the certificate holds`.trimStart(),
    zh: ({ file }) => `${file} 不在 tls.legacy_cert 中，设备不会接受：请填写证书中的名称`.trimStart(),
  },
});

/** Values of a sentence about the file of one key of the config. */
export type FileOfKey = WithWhy & { readonly key: string };

export const fileFaultInChinese = ({ key, why, why_code: code, ...params }: FileOfKey): string =>
  `${key}：${inChinese({ reason: why, code, params }, fileFaults)}`;
