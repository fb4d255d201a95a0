import type { BoxBelowRow } from '../../../../src/admin/ui/boxes.ts';
import { erase, post, put } from '../../api.ts';
import { AskDialog, type AskDialogOptions } from '../../parts/ask-dialog.tsx';
import { Choice, chosen, Field, text } from '../../parts/field.tsx';
import { refusalSaid } from '../../parts/reasons.ts';
import { whenOf } from '../../parts/when.ts';
import { askWho } from '../../session.ts';
import { say } from './words.ts';

interface Ends {
  readonly close: () => void;
  /** Shown to the reader when it is done. */
  readonly done: (sentence: string) => void;
}

const accesses = ['both', 'mqtt', 'http'] as const;

/** A form in a dialog: `act` does it and returns what to show. */
const Asking = ({
  act,
  done,
  ...dialog
}: Omit<AskDialogOptions, 'run' | 'kind'> & Ends & { act: (form: FormData) => Promise<string> }) => (
  <AskDialog {...dialog} kind="device-asking" run={async form => done(await act(form))} />
);

/** Lists a device and approves it: it may have come by itself a moment ago, and waits then. */
async function letIn(device: string): Promise<void> {
  await put('/devices/{id}', { id: device });
  await post('/devices/people-data', { device_ids: [device], allowed: true });
}

/**
 * Makes the product of a device known, so that it and its like are let in; with the second button
 * the device itself is approved too, and receives people's data.
 */
export function AdoptDialog({ product, device, ...ends }: Ends & { product: string; device: string | null }) {
  const said = say.value;
  const act = async (form: FormData) => {
    await put('/products/{id}', {
      id: product,
      product_key: text(form, 'product_key'),
      name: text(form, 'name'),
      ...(text(form, 'model') === '' ? {} : { model: text(form, 'model') }),
      access: chosen(form, 'access', accesses),
    });
    if (device === null || text(form, 'also') === '') return said.adopted(product);
    await letIn(device);
    return said.adoptedWith(product, device);
  };
  return (
    <Asking
      title={said.adoptTitle(product)}
      go={said.addProduct}
      also={device === null ? undefined : said.adoptAndApprove}
      act={act}
      {...ends}
    >
      <p>{said.adoptLead}</p>
      <Field
        label={said.productKey}
        hint={said.productKeyHint}
        name="product_key"
        required
        maxLength={256}
        autocomplete="off"
        spellcheck={false}
      />
      <Field label={said.name} name="name" maxLength={100} autocomplete="off" />
      <Field
        label={said.model}
        hint={said.modelHint}
        name="model"
        maxLength={64}
        pattern="[\w.\-]+"
        autocomplete="off"
      />
      <Choice label={said.access} name="access">
        {accesses.map(access => (
          <option key={access} value={access}>
            {said.accesses[access]}
          </option>
        ))}
      </Choice>
      {device !== null && <p class="quiet">{said.adoptAndApproveLead(device)}</p>}
    </Asking>
  );
}

export function KeyDialog({ device, ...ends }: Ends & { device: string }) {
  const said = say.value;
  const act = async (form: FormData) => {
    await put('/devices/{id}', { id: device, access_key: text(form, 'access_key') });
    return said.keySet(device);
  };
  return (
    <Asking title={said.keyTitle(device)} go={said.setKey} act={act} {...ends}>
      <p>{said.keyLead}</p>
      <Field label={said.key} name="access_key" required maxLength={256} autocomplete="off" spellcheck={false} />
    </Asking>
  );
}

export function AcceptDialog({ device, ...ends }: Ends & { device: string }) {
  const said = say.value;
  const act = async () => {
    const { until } = await post('/devices/{id}/accept-product-key', { id: device });
    return said.accepted(device, whenOf(until));
  };
  return (
    <Asking title={said.accept} go={said.accept} act={act} {...ends}>
      <p>{refusalSaid('old_key_after_activation', '', '')}</p>
    </Asking>
  );
}

/** One new device beyond the limit: it is listed, and receives people's data. */
export function LetInDialog({ device, ...ends }: Ends & { device: string }) {
  const said = say.value;
  const act = async () => {
    await letIn(device);
    return said.letIn(device);
  };
  return (
    <Asking title={said.letInTitle(device)} go={said.letInAndApprove} act={act} {...ends}>
      <p>{said.letInLead}</p>
    </Asking>
  );
}

/** New devices of a product, for an hour. */
export function AdmitNewDialog({ product, ...ends }: Ends & { product: string }) {
  const said = say.value;
  const act = async () => {
    const { until } = await post('/products/{id}/admit-new', { id: product });
    return said.admittedNew(product, whenOf(until));
  };
  return (
    <Asking title={said.admitNew} go={said.admitNew} act={act} {...ends}>
      <p>{refusalSaid('too_many_new_devices', product, '')}</p>
    </Asking>
  );
}

/** Blocks it, or lets it in again where it is `blocked`. */
export function BlockDialog({ device, blocked, ...ends }: Ends & { device: string; blocked: boolean }) {
  const said = say.value;
  const act = async () => {
    await put('/devices/{id}', { id: device, blocked: !blocked });
    return blocked ? said.unblocked(device) : said.blocked(device);
  };
  if (blocked)
    return (
      <Asking title={said.unblock} go={said.unblock} act={act} {...ends}>
        <p>{said.isBlocked(device)}</p>
      </Asking>
    );
  return (
    <Asking title={said.blockTitle(device)} go={said.block} danger act={act} {...ends}>
      <p>{said.blockLead}</p>
    </Asking>
  );
}

/** Takes the batches of a box below from now on. */
export function ListBoxDialog({ box, ...ends }: Ends & { box: string }) {
  const said = say.value;
  const act = async (form: FormData) => {
    const name = text(form, 'name');
    await put('/boxes/{id}', { id: box, ...(name === '' ? {} : { name }) });
    void askWho();
    return said.boxListed(box);
  };
  return (
    <Asking title={said.listBoxTitle(box)} go={said.listBox} act={act} {...ends}>
      <p>{said.listBoxLead}</p>
      <Field label={said.name} name="name" maxLength={100} autocomplete="off" />
    </Asking>
  );
}

export function UnlistBoxDialog({ box, ...ends }: Ends & { box: string }) {
  const said = say.value;
  const act = async () => {
    await erase('/boxes/{id}', { id: box });
    void askWho();
    return said.boxUnlisted(box);
  };
  return (
    <Asking title={said.unlistBoxTitle(box)} go={said.unlistBox} danger act={act} {...ends}>
      <p>{said.unlistBoxLead}</p>
    </Asking>
  );
}

export function DeleteBackupDialog({ box, name, ...ends }: Ends & { box: string; name: string }) {
  const said = say.value;
  const act = async () => {
    await erase('/boxes/{id}/backups/{name}', { id: box, name });
    return said.backupDeleted(name);
  };
  return (
    <Asking title={said.deleteBackupTitle(name)} go={said.deleteBackup} danger act={act} {...ends}>
      <p>{said.deleteBackupLead(box)}</p>
    </Asking>
  );
}

/** Assigns a device to a box; the empty choice is this box. */
export function MoveDialog({
  device,
  belongsTo,
  boxes,
  ...ends
}: Ends & { device: string; belongsTo: string | null; boxes: readonly Pick<BoxBelowRow, 'box_id' | 'name'>[] }) {
  const said = say.value;
  const act = async (form: FormData) => {
    await put('/devices/{id}/box', { id: device, box_id: text(form, 'box') || null });
    return said.moved(device);
  };
  return (
    <Asking title={said.moveTitle(device)} go={said.move} act={act} {...ends}>
      <p>{said.moveLead}</p>
      <Choice label={said.belongsTo} name="box" defaultValue={belongsTo === 'here' ? '' : (belongsTo ?? '')}>
        <option value="">{said.belongsHere}</option>
        {boxes.map(({ box_id, name }) => (
          <option key={box_id} value={box_id}>
            {name === '' ? box_id : `${name} (${box_id})`}
          </option>
        ))}
      </Choice>
    </Asking>
  );
}

export function RenameDialog({ device, name, ...ends }: Ends & { device: string; name: string }) {
  const said = say.value;
  const act = async (form: FormData) => {
    await put('/devices/{id}', { id: device, name: text(form, 'name') });
    return said.renamed;
  };
  return (
    <Asking title={said.renameTitle(device)} go={said.rename} act={act} {...ends}>
      <Field label={said.name} name="name" defaultValue={name} maxLength={100} autocomplete="off" />
    </Asking>
  );
}
