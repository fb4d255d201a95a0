import { z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';
import { operation, type Running } from '../operation.ts';

export const ownNetworkOperations = {
  report: operation({
    method: 'get',
    path: '/network',
    role: 'admin',
    summary: described('The network of the gateway, as its operating system has set it', '网关的网络，由操作系统设置'),
    returns: described('The network', '网络'),
    answer: z.object({
      host_name: z.string(),
      interfaces: z.array(
        z.object({
          name: z.string(),
          addresses: z
            .array(z.string())
            .describe(described('With their prefix, such as 192.0.2.4/24', '带前缀，如 192.0.2.4/24')),
        }),
      ),
      router: z
        .string()
        .nullable()
        .describe(described('Of the default route; null: there is none', '默认路由的地址；null：没有')),
      name_servers: z.array(z.string()),
    }),
  }),
};

interface NetworkParts {
  ownNetwork(): {
    readonly hostName: string;
    readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[];
    readonly router: { readonly address: string } | null;
    readonly nameServers: readonly string[];
  };
}

export const networkOf = ({ ownNetwork }: NetworkParts): Running<typeof ownNetworkOperations> => ({
  async report() {
    const { hostName, interfaces, router, nameServers } = ownNetwork();
    return { host_name: hostName, interfaces, router: router?.address ?? null, name_servers: nameServers };
  },
});
