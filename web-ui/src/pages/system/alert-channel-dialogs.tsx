import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { alertWords } from '../../../../src/platform/alert-words.ts';
import type { AlertChannel } from '../../../../src/platform/alerts.ts';
import { put } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useForm } from '../../parts/doing.ts';
import { Choice, Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { alertLanguageOfPage } from '../../parts/open-alerts.tsx';
import { words as shared } from '../../words/index.ts';
import { words } from './alerts-words.ts';
import { saidProblem } from './said-problem.ts';

export type Settings = AnswerOf<'get', '/alerts/settings'>['chosen'];
type FieldName = keyof (typeof words)['value']['fields'];

interface FieldFacts {
  readonly name: FieldName;
  readonly kind?: 'number' | 'secret' | 'list' | 'security';
  readonly optional?: true;
  readonly byDefault?: string;
}

const template = [{ name: 'app_id' }, { name: 'template' }] as const;
const robot = [
  { name: 'url', kind: 'secret' },
  { name: 'secret', kind: 'secret', optional: true },
] as const;

/** Fields of each channel. */
const fieldsOf: Readonly<Record<AlertChannel, readonly FieldFacts[]>> = {
  mail: [
    { name: 'host' },
    { name: 'port', kind: 'number', byDefault: '587' },
    { name: 'security', kind: 'security' },
    { name: 'user', optional: true },
    { name: 'password', kind: 'secret', optional: true },
    { name: 'from' },
    { name: 'to', kind: 'list' },
  ],
  webhook: robot,
  dingtalk: robot,
  feishu: robot,
  wecom: [{ name: 'url', kind: 'secret' }],
  push: [...template, { name: 'tags', kind: 'list' }],
  sms: [...template, { name: 'region', byDefault: '86' }, { name: 'mobiles', kind: 'list' }],
};

const securities = ['starttls', 'tls', 'none'] as const;
const nameOf = (name: AlertChannel): string => alertWords[alertLanguageOfPage()].channels[name];

interface Ends {
  readonly settings: Settings;
  readonly done: () => void;
  readonly close: () => void;
}

export function AddDialog({ free, ...ends }: { free: readonly AlertChannel[] } & Ends) {
  const name = useSignal<AlertChannel>(free[0]!);
  const said = words.value;
  return (
    <Dialog title={said.add} close={ends.close}>
      <Choice
        label={said.channel}
        value={name.value}
        onChange={event => {
          name.value = free.find(one => one === event.currentTarget.value) ?? name.value;
        }}
      >
        {free.map(one => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </Choice>
      <ChannelForm key={name.value} name={name.value} {...ends} />
    </Dialog>
  );
}

export const ChannelDialog = ({ name, ...ends }: { name: AlertChannel } & Ends) => (
  <Dialog title={words.value.changeOf(nameOf(name))} close={ends.close}>
    <ChannelForm name={name} {...ends} />
  </Dialog>
);

function ChannelForm({ name, settings, done, close }: { name: AlertChannel } & Ends) {
  const said = words.value;
  const before = (settings[name] ?? null) as Readonly<Record<string, unknown>> | null;
  const { busy, refused, submit } = useForm(async form => {
    const entries = fieldsOf[name].map(field => [field.name, written(field, form, before)] as const);
    const channel = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    await put('/alerts/settings', { settings: { ...settings, [name]: channel } });
    done();
  });
  return (
    <form onSubmit={submit}>
      {fieldsOf[name].map(field => {
        const { name: key, kind, optional, byDefault } = field;
        const isKept = kind === 'secret' && before !== null && before[key] === null;
        const hint = (said.hints as Readonly<Record<string, string>>)[key];
        if (kind === 'security')
          return (
            <Choice key={key} label={said.fields[key]} name={key} defaultValue={String(before?.[key] ?? 'starttls')}>
              {securities.map(one => (
                <option key={one} value={one} selected={one === (before?.[key] ?? 'starttls')}>
                  {said.securities[one]}
                </option>
              ))}
            </Choice>
          );
        const value = before?.[key];
        return (
          <Field
            key={key}
            label={said.fields[key]}
            {...(isKept ? { hint: said.kept } : hint === undefined ? {} : { hint })}
            name={key}
            // The three take the same attributes, which the type of an input cannot say.
            type={(kind === 'secret' && key !== 'url' ? 'password' : kind === 'number' ? 'number' : 'text') as 'text'}
            required={!optional && !isKept}
            maxLength={1000}
            autocomplete="off"
            defaultValue={Array.isArray(value) ? value.join(', ') : String(value ?? byDefault ?? '')}
          />
        );
      })}
      <ProblemNotice problem={saidProblem(refused.value)} />
      <DialogButtons go={shared.value.act.save} busy={busy.value} close={close} />
    </form>
  );
}

/** Undefined: the key is left out. Null: the secret stays as it is. */
function written(
  { name, kind }: FieldFacts,
  form: FormData,
  before: Readonly<Record<string, unknown>> | null,
): unknown {
  const said = text(form, name);
  if (said === '') return kind === 'secret' && before?.[name] === null ? null : undefined;
  if (kind === 'number') return Number(said);
  if (kind !== 'list') return said;
  return said
    .split(/[,，;；\s]+/)
    .map(one => one.trim())
    .filter(one => one !== '');
}

export function RemoveChannelDialog({ name, settings, done, close }: { name: AlertChannel } & Ends) {
  const said = words.value;
  const { busy, refused, submit } = useForm(async () => {
    const { [name]: _removed, ...others } = settings;
    await put('/alerts/settings', { settings: others });
    done();
  });
  return (
    <Dialog title={said.removeOf(nameOf(name))} close={close}>
      <form onSubmit={submit}>
        <p>{said.removeSure}</p>
        <ProblemNotice problem={saidProblem(refused.value)} />
        <DialogButtons go={shared.value.act.remove} busy={busy.value} danger close={close} />
      </form>
    </Dialog>
  );
}
