import { codeOf, codeReport } from '../admin/index.ts';
import type { BoxClient } from '../admin-client/index.ts';
import { parseDeviceId, parseProductId } from '../platform/device-id.ts';
import { parseQrContent, type QrContent, type QrForm, type QrStatus, qrStatuses } from '../platform/qr-content.ts';
import { explainRefusal } from '../platform/refusals.ts';
import { type CodeWish, qrMatrix, qrPng, qrSvg, qrText } from '../provisioning/index.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { findBox, findBoxIfAny } from './find-box.ts';
import { openOut } from './out.ts';

/**
 * `qr DEVICE_ID|PRODUCT_ID [--form …] [--out F.svg|F.png] …`: the code of a device of a known
 * product (SPEC 2.4).
 */
export const qr: Run = async call => {
  const [id] = call.arguments as [string];
  if (!parseDeviceId(id).ok && !parseProductId(id).ok)
    throw new WrongUsage(`DEVICE_ID "${id}": no device id: {product_id}_{device_sn}, letters, digits and hyphens`);
  const wish = wishOf(call);
  if (!id.includes('_') && (wish.form ?? '1') !== '1')
    throw new WrongUsage(`--form ${wish.form}: a code without a device id has form 1`);
  const out = textOption(call, 'out');
  const ending = out && /\.(svg|png)$/i.exec(out)?.[1]?.toLowerCase();
  if (out !== undefined && !ending) throw new WrongUsage(`--out "${out}": write a name that ends with .svg or .png`);
  await using box = await findBox(call);
  const code = codeOf(await box.get('/naming'), id, wish);
  if (!code.ok) throw new CommandFailed(explainRefusal(code.refusal).reason);
  const matrix = qrMatrix(code.value.content);
  if (out !== undefined) {
    await using file = openOut(call, 0o644);
    await file.write(ending === 'svg' ? `${qrSvg(matrix)}\n` : qrPng(matrix));
    await file.done();
  }
  if (flag(call, 'json')) return call.print(`${JSON.stringify(codeReport(code.value), null, 2)}\n`);
  const drawn = out === undefined ? qrText(matrix, { colours: hasColours(call) }) : '';
  await call.print(Buffer.from(drawn));
  await call.print(`${code.value.content}\n`);
};

function wishOf(call: Call): CodeWish {
  const [form, appType, appId, funcType, status] = ['form', 'app-type', 'app-id', 'func', 'status'].map(name =>
    textOption(call, name),
  );
  for (const name of ['app-type', 'app-id', 'func']) {
    const value = textOption(call, name);
    if (value === undefined) continue;
    if (form?.startsWith('legacy'))
      throw new WrongUsage(`--${name} goes with --form 1: the legacy forms do not carry it`);
    if (!/^[\w-]{1,64}$/.test(value))
      throw new WrongUsage(`--${name} "${value}": write letters, digits, hyphens and underscores, at most 64`);
  }
  return {
    ...(form === undefined ? {} : { form: form as QrForm }),
    ...(appType === undefined ? {} : { appType }),
    ...(appId === undefined ? {} : { appId }),
    ...(funcType === undefined ? {} : { funcType }),
    ...(status === undefined ? {} : { status: Number(status) as QrStatus }),
  };
}

/** Printed only where a person sees it, in a terminal that can show it. */
const hasColours = ({ env, stdout }: Call): boolean => stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

/** `qr-read TEXT`: what a QR code contains, and whether the box knows the product. */
export const qrRead: Run = async call => {
  const read = parseQrContent(call.arguments[0]!);
  if (!read.ok) throw new CommandFailed(explainRefusal(read.refusal).reason);
  const { value } = read;
  await using box = await findBoxIfAny(call);
  const product = box && (await productOf(box, value));
  if (flag(call, 'json')) {
    const { form, deviceId, productId, model, appType, appId, funcType, status } = value;
    const shown = {
      form,
      device_id: deviceId,
      product_id: productId,
      model,
      app_type: appType,
      app_id: appId,
      func_type: funcType,
      status,
      product_known: box && product !== undefined,
    };
    return call.print(`${JSON.stringify(shown, null, 2)}\n`);
  }
  const lines = [
    ['form', value.form],
    ['device', value.deviceId ?? 'not told: look for it by its broadcast name'],
    ['product', productInWords(value, box === null ? null : product)],
    ['for', value.funcType],
    ['app', value.appType === null ? 'not told' : `${value.appType}, ${value.appId}`],
    ['status', statusInWords(value.status)],
  ];
  await call.print(lines.map(([name, said]) => `${name!.padEnd(8)} ${said}\n`).join(''));
};

/** Finds the product by product_id or, if the code names no device, by its model. */
async function productOf(box: BoxClient, { deviceId, productId, model }: QrContent) {
  const { products } = await box.get('/naming');
  const identity = (productId ?? model)?.toUpperCase();
  const byId = products.find(({ product_id }) => product_id === identity);
  return byId ?? (deviceId === null ? products.find(one => one.model.toUpperCase() === identity) : undefined);
}

/** `product`: null without a box, undefined if the box does not know it. */
function productInWords(
  { productId, model }: QrContent,
  product: { readonly product_id: string; readonly name: string } | null | undefined,
): string {
  const identity = [productId, model && `model ${model}`].filter(Boolean).join(', ');
  if (product === null) return `${identity}; no box here to ask whether it is known`;
  if (product === undefined) return `${identity}; not known here: add it to the site file and apply it`;
  const found = product.product_id === productId ? 'known here' : `known here as the model of ${product.product_id}`;
  return `${identity}; ${found}${product.name ? `: ${product.name}` : ''}`;
}

const statusInWords = (status: number | null): string =>
  status === null
    ? 'not told'
    : `${status}: ${(qrStatuses as Record<string, string>)[status] ?? 'not known to SPEC 3.5'}`;
