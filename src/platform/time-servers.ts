export const timeServersMax = 4;

/** Host names or addresses, separated by commas; null: one is neither, or there are too many. */
export function timeServersIn(text: string): string[] | null {
  const servers = text.split(',').map(one => one.trim());
  const areServers =
    servers.length <= timeServersMax && servers.every(one => /^[a-z0-9:][a-z0-9.:-]{0,252}$/i.test(one));
  return areServers ? servers : null;
}
