import { BlockList, isIP } from 'node:net';

/** `10.0.0.5, 10.1.0.0/16, fd00::/8`; null: an entry is neither an address nor a network. */
export function parseAddressList(text: string): BlockList | null {
  const list = new BlockList();
  for (const entry of text.split(',').map(one => one.trim())) {
    const [, address = '', bits] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)) return null;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
