import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useForm } from '../../parts/doing.ts';
import { Field, text } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { words as shared } from '../../words/index.ts';
import { words } from './backup-schedule-words.ts';
import { BackupSftp } from './backup-sftp.tsx';
import { saidProblem } from './said-problem.ts';

type Report = AnswerOf<'get', '/backup/settings'>;

/** When backups are made, how many stay, and where they go. */
export function BackupSettings({ hasSftp, changed }: { hasSftp: boolean; changed: () => void }) {
  const { loaded, reload } = useLoaded('/backup/settings');
  const { data, problem } = loaded.value;
  const said = words.value;
  return (
    <section aria-labelledby="backup-settings">
      <h2 id="backup-settings">{said.settings}</h2>
      <ProblemNotice problem={problem} again={reload} />
      {data && (
        <SettingsForm
          key={JSON.stringify(data)}
          report={data}
          done={() => {
            sayDone(said.saved);
            reload();
            changed();
          }}
        />
      )}
      {data && hasSftp && <BackupSftp key={JSON.stringify(data.chosen)} />}
    </section>
  );
}

function SettingsForm({ report, done }: { report: Report; done: () => void }) {
  const said = words.value;
  const { chosen, fixed, keep } = report;
  const isFixed = (key: string): boolean => fixed.includes(key);
  const { busy, refused, submit } = useForm(async form => {
    await put('/backup/settings', { settings: { ...chosen, ...writtenIn(form, report) } });
    done();
  });
  const folder = (chosen.directory as { path?: string } | undefined)?.path ?? '';
  return (
    <form onSubmit={submit}>
      <p class="bar">
        <Field
          label={said.directory}
          hint={isFixed('directory') ? said.fixed : said.directoryHint}
          name="directory"
          pattern="/.*"
          placeholder="/mnt/backup"
          maxLength={1000}
          defaultValue={folder}
          disabled={isFixed('directory')}
        />
        {(['stick', 'smb'] as const).map(name => (
          <Field
            key={name}
            label={said[name]}
            hint={isFixed(name) ? said.fixed : said[`${name}Hint`]}
            name={name}
            pattern="/.*"
            placeholder={mountPoints[name]}
            maxLength={1000}
            defaultValue={(chosen[name] as { path?: string } | undefined)?.path ?? ''}
            disabled={isFixed(name)}
          />
        ))}
      </p>
      <p>
        <label>
          <input type="checkbox" name="above" defaultChecked={chosen.above !== undefined} disabled={isFixed('above')} />{' '}
          {said.above}
        </label>{' '}
        <span class="quiet">{isFixed('above') ? said.fixed : said.aboveHint}</span>
      </p>
      <SftpFields sftp={chosen.sftp as Sftp | undefined} isFixed={isFixed('sftp')} />
      <p class="bar">
        <Field
          label={said.times}
          hint={isFixed('times') ? said.fixed : said.timesHint}
          name="times"
          placeholder="02:30, 14:30"
          required
          pattern="\s*([01]\d|2[0-3]):[0-5]\d(\s*[,，]\s*([01]\d|2[0-3]):[0-5]\d)*\s*"
          defaultValue={report.times.join(', ')}
          disabled={isFixed('times')}
        />
      </p>
      <fieldset disabled={isFixed('days')}>
        <legend>{said.days}</legend>
        {said.dayNames.map((name, index) => (
          <label key={name}>
            <input
              type="checkbox"
              name="days"
              value={String(index + 1)}
              defaultChecked={report.days.includes(index + 1)}
            />{' '}
            {name}{' '}
          </label>
        ))}
      </fieldset>
      <p class="bar">
        {(
          [
            ['daily', said.keepDaily],
            ['weekly', said.keepWeekly],
            ['monthly', said.keepMonthly],
          ] as const
        ).map(([name, label]) => (
          <Field
            key={name}
            label={label}
            name={name}
            type="number"
            min={1}
            max={400}
            required
            defaultValue={String(keep[name])}
            disabled={isFixed('keep')}
          />
        ))}
      </p>
      <p class="quiet">{isFixed('keep') ? said.fixed : said.keepHint}</p>
      <p>
        <label>
          <input
            type="checkbox"
            name="with_files"
            defaultChecked={report.with_files}
            disabled={isFixed('with_files')}
          />{' '}
          {said.withFiles}
        </label>
      </p>
      <ProblemNotice problem={saidProblem(refused.value)} />
      <p>
        <button type="submit" class="act go" disabled={busy.value}>
          {shared.value.act.save}
        </button>
      </p>
    </form>
  );
}

/** Where the units of the package mount them. */
const mountPoints = { stick: '/mnt/gatehouse/stick', smb: '/mnt/gatehouse/share' };

interface Sftp {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly folder?: string;
}

function SftpFields({ sftp, isFixed }: { sftp: Sftp | undefined; isFixed: boolean }) {
  const said = words.value;
  return (
    <fieldset disabled={isFixed}>
      <legend>{said.sftp}</legend>
      <p class="quiet">{isFixed ? said.fixed : said.sftpHint}</p>
      <p class="bar">
        <Field
          label={said.sftpHost}
          name="sftp_host"
          pattern="[A-Za-z0-9:][A-Za-z0-9.:%_\-]*"
          placeholder="nas.example"
          maxLength={253}
          defaultValue={sftp?.host ?? ''}
        />
        <Field
          label={said.sftpPort}
          name="sftp_port"
          type="number"
          min={1}
          max={65_535}
          placeholder="22"
          defaultValue={sftp?.port === undefined ? '' : String(sftp.port)}
        />
        <Field
          label={said.sftpUser}
          name="sftp_user"
          maxLength={64}
          autocomplete="off"
          defaultValue={sftp?.user ?? ''}
        />
        <Field
          label={said.sftpFolder}
          name="sftp_folder"
          placeholder="backups"
          maxLength={1000}
          defaultValue={sftp?.folder ?? ''}
        />
      </p>
    </fieldset>
  );
}

/** Without a server there is no such target. */
function sftpIn(form: FormData) {
  const [host, port, user, folder] = ['host', 'port', 'user', 'folder'].map(name => text(form, `sftp_${name}`));
  if (host === '') return undefined;
  return { host, user, folder: folder === '' ? '.' : folder, ...(port === '' ? {} : { port: Number(port) }) };
}

function folderIn(form: FormData, name: string) {
  const path = text(form, name);
  return path === '' ? undefined : { path };
}

/** Values of the form, without those that the config fixes. */
function writtenIn(form: FormData, { fixed }: Report) {
  const written = {
    times: text(form, 'times')
      .split(/[,，]/)
      .map(one => one.trim()),
    days: form.getAll('days').map(Number),
    keep: Object.fromEntries(['daily', 'weekly', 'monthly'].map(name => [name, Number(text(form, name))])),
    with_files: form.has('with_files'),
    directory: folderIn(form, 'directory'),
    stick: folderIn(form, 'stick'),
    smb: folderIn(form, 'smb'),
    sftp: sftpIn(form),
    above: form.has('above') ? {} : undefined,
  };
  // No day is every day.
  const whole = { ...written, days: written.days.length === 0 ? undefined : written.days };
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !fixed.includes(key)));
}
