import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { parseDeviceId } from '../../platform/device-id.ts';
import { parseQrContent } from '../../platform/qr-content.ts';
import { explainRefusal } from '../../platform/refusals.ts';
import { programVersion } from '../../runtime/version.ts';
import type { Device, DirectoryStore, ReadPart, SupportReads } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { productRegistration } from '../shapes.ts';
import { waitsForPeopleData } from '../status.ts';

const commissionReport = z
  .object({
    box_id: z.string(),
    version: z.string(),
    site: z.string(),
    bluetooth: z
      .boolean()
      .describe(described('Whether the box looks for devices by Bluetooth', '网关是否通过蓝牙寻找设备')),
    wifi: z.boolean().describe(described('Whether the box looks for devices by wifi', '网关是否通过 Wi-Fi 寻找设备')),
    products: z.array(z.object({ product_id: z.string(), name: z.string(), model: z.string() })),
  })
  .describe(described('What an installer has to know of the box', '安装人员需要了解的网关信息'));
const qrReadReport = z
  .object({
    form: z.string(),
    device_id: z
      .string()
      .nullable()
      .describe(
        described(
          'Null: the device cannot show its id, and is to be asked for it',
          'null：设备无法显示编号，须向其询问',
        ),
      ),
    product_id: z.string().nullable(),
    model: z.string().nullable(),
    status: z.number().nullable(),
    product_known: z.boolean().describe(described('The product is one of the site', '是本站点的产品')),
    registration: productRegistration
      .nullable()
      .describe(described('Of the product, where it is known', '产品的，如已知')),
  })
  .describe(described('What stands in a QR code (SPEC 2.4)', '二维码的内容（规范 2.4）'));
const walkReport = z.object({
  punches: z
    .array(
      z.object({
        kind: z.enum(['checkin', 'access']),
        at: z.number(),
        receivedAt: z.number(),
        deviceId: z.string(),
        name: z.string().describe(described('Empty: nobody whom the organization knows', '空：组织中没有此人')),
      }),
    )
    .describe(described('In the order of receipt', '按收到的顺序')),
  cursor: z.string().describe(described('Where the next look goes on', '下次查找的起点')),
  online: z
    .array(z.string())
    .describe(described('Of the devices that were named, those that are connected', '所列设备中已连接的')),
  proved: z
    .array(z.string())
    .describe(
      described('Of them, those that logged in with a password made with their key', '其中用设备密钥生成的密码登录的'),
    ),
  unapproved: z
    .array(z.string())
    .describe(
      described(
        "Of the devices that were named, those that wait for approval to receive people's data",
        '所列设备中待批准接收人员数据的',
      ),
    ),
});
export type CommissionReport = Report<typeof commissionReport>;
export type WalkReport = Report<typeof walkReport>;

const punchesMax = 200;

export const commissionOperations = {
  report: operation({
    method: 'get',
    path: '/ui/commission',
    role: 'viewer',
    summary: described(
      'What an installer has to know of the box: its id, the products, which ways to devices are open',
      '安装人员需要了解的信息：网关编号、产品、可用的配网方式',
    ),
    returns: described('The report', '报告'),
    answer: commissionReport,
  }),
  qrRead: operation({
    method: 'get',
    path: '/qr-read',
    role: 'viewer',
    summary: described('What stands in the text of a QR code (SPEC 2.4)', '解析二维码的文本内容（规范 2.4）'),
    query: z.object({ text: z.string().min(1).max(4096) }),
    returns: described('What was read', '解析的内容'),
    answer: qrReadReport,
    failures: { 422: described('It is no QR code of a device', '不是设备的二维码') },
  }),
  walk: operation({
    method: 'get',
    path: '/ui/walk',
    role: 'viewer',
    summary: described(
      'What terminals have reported since `cursor`, and which of the named devices are online; without a cursor, from now on',
      '`cursor` 之后终端上报的内容，以及指定设备是否在线；不给出时从现在起',
    ),
    query: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,15}\.\d{1,15}$/)
        .optional(),
      device: z.union([z.string(), z.array(z.string()).max(200)]).optional(),
    }),
    returns: described('The punches', '打卡'),
    answer: walkReport,
  }),
};

/** Operations of the page Commission beyond the runs of /provision. */
export const commission = ({
  admin,
  store,
  config,
  isOnline,
}: {
  readonly admin: Pick<BoxAdmin, 'naming'>;
  readonly store: ReadPart<SupportReads> & DirectoryStore;
  readonly config: Pick<Config, 'box' | 'site' | 'provisioning'>;
  isOnline(device: Device): boolean;
}): Running<typeof commissionOperations> => ({
  async report() {
    const { products } = await admin.naming.report();
    return {
      box_id: `${config.box.product_id}_${config.box.device_sn}`,
      version: programVersion,
      site: config.site.name,
      bluetooth: config.provisioning.bluetooth !== 'off',
      wifi: config.provisioning.wifi !== 'off',
      products,
    };
  },
  async qrRead({ text }) {
    const read = parseQrContent(text);
    if (!read.ok) throw refused(422, read.refusal.code, explainRefusal(read.refusal));
    const { form, deviceId, productId, model, status } = read.value;
    const product = productId === null ? undefined : store.directory.product(productId);
    return {
      form,
      device_id: deviceId,
      product_id: productId,
      model,
      status,
      product_known: product !== undefined,
      registration: product?.registration ?? null,
    };
  },
  async walk({ cursor, device = [] } = {}) {
    const [checkin, access] = cursor?.split('.').map(Number) ?? [];
    const after = checkin === undefined || access === undefined ? null : { checkin, access };
    const { punches, place } = await store.read.punchesSince(after, punchesMax);
    const named = [device].flat().flatMap(text => {
      const id = parseDeviceId(text);
      const known = id.ok ? store.directory.device(id.value) : undefined;
      return known ? [{ text, known }] : [];
    });
    const those = (is: (known: Device) => boolean) => named.filter(({ known }) => is(known)).map(({ text }) => text);
    return {
      punches,
      cursor: `${place.checkin}.${place.access}`,
      online: those(isOnline),
      // The cloud's word is no proof of the key that is known here.
      proved: those(known => isOnline(known) && known.presentedPassword === null),
      unapproved: those(known => waitsForPeopleData(known, store.directory)),
    };
  },
});
