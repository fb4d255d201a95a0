import type { ProgramReport, ProgramsReport } from '../../../../src/admin/programs.ts';
import { erase, Problem, post, problemIn } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, text } from '../../parts/field.tsx';
import { words } from '../../words/index.ts';
import { programTopics, topicNames } from './program-topics.ts';
import { programWords } from './program-words.ts';

export interface MadeProgram {
  readonly name: string;
  readonly token: string;
  /** A filter to try it with. */
  readonly filter: string;
}

const inWords = (problem: Problem): Problem => {
  const { bad_name, in_use } = programWords.value;
  return problemIn({ bad_name, in_use }, problem);
};

/** Says no before the box is asked. */
const refuse = (message: string): never => {
  throw new Problem(400, 'form', message);
};

function codesIn(written: string): number[] {
  const codes = written.split(/[,，\s]+/).filter(Boolean);
  if (codes.some(code => !/^\d{1,10}$/.test(code))) refuse(programWords.value.badCodes);
  return codes.map(Number);
}

export function MakeProgram({ made, close }: { made: (program: MadeProgram) => void; close: () => void }) {
  const said = programWords.value;
  const make = async (form: FormData) => {
    const name = text(form, 'name');
    const topics = topicNames.filter(one => form.has(`hears-${one}`)).map(one => programTopics[one].filter);
    if (topics.length === 0) refuse(said.chooseOne);
    const actions = codesIn(text(form, 'codes'));
    const { token } = await post('/tokens', { name, role: 'events', topics, actions });
    made({ name, token, filter: `gatehouse/v1/${topics[0]}` });
  };
  return (
    <AskDialog title={said.add} go={words.value.act.add} run={make} inWords={inWords} close={close}>
      <Field
        label={said.name}
        hint={said.nameHint}
        name="name"
        required
        maxLength={64}
        autocomplete="off"
        class="mono"
      />
      <fieldset class="program-topics">
        <legend>{said.whichTopics}</legend>
        {topicNames.map(one => (
          <label key={one} class="check">
            <input type="checkbox" name={`hears-${one}`} defaultChecked={!programTopics[one].ofPeople} />
            <span>
              {said.topics[one]}
              {programTopics[one].ofPeople && <strong class="peoples-data">{said.peoplesData}</strong>}
            </span>
          </label>
        ))}
      </fieldset>
      <Field label={said.codes} placeholder={said.codesExample} name="codes" autocomplete="off" class="mono" />
    </AskDialog>
  );
}

export function ShownToken({
  made: { name, token, filter },
  listens,
  close,
}: {
  made: MadeProgram;
  listens: ProgramsReport['listens'];
  close: () => void;
}) {
  const said = programWords.value;
  const line = listens && subscribeLine(listens, name, token, filter);
  return (
    <Dialog title={said.tokenOf(name)} close={close}>
      <p>{said.tokenOnce}</p>
      <dl class="facts">
        <dt>{said.token}</dt>
        <dd class="mono" data-testid="secret">
          {token}
        </dd>
      </dl>
      <p class="bar">
        <CopyButton text={token} />
      </p>
      {line && (
        <>
          <h3>{said.tryIt}</h3>
          <pre class="program-line" data-testid="line">
            {line}
          </pre>
          <p class="quiet">
            {said.tryNote} {listens.tls && said.tryTls}
          </p>
          <p class="bar">
            <CopyButton text={line} />
          </p>
        </>
      )}
      <p class="bar">
        <button type="button" class="act" onClick={close}>
          {words.value.act.close}
        </button>
      </p>
    </Dialog>
  );
}

/** Its name and token have no sign that a shell reads. */
function subscribeLine(
  { address, tls }: NonNullable<ProgramsReport['listens']>,
  name: string,
  token: string,
  filter: string,
): string {
  const at = address.lastIndexOf(':');
  const host = tls ? `${location.hostname} --cafile trust.pem` : address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
  return `mosquitto_sub -h ${host} -p ${address.slice(at + 1)} -u ${name} -P ${token} -t '${filter}' -v`;
}

export function EndProgram({
  program: { id, name },
  ended,
  close,
}: {
  program: ProgramReport;
  ended: () => void;
  close: () => void;
}) {
  const said = programWords.value;
  const end = async () => {
    await erase('/tokens/{id}', { id });
    ended();
  };
  return (
    <AskDialog title={said.endOf(name)} go={said.end} danger run={end} inWords={inWords} close={close}>
      <p>{said.endText}</p>
    </AskDialog>
  );
}
