import { type FindingText, finding, remediesOf } from './findings.ts';
import { machineFindings } from './machine-findings.ts';
import { networkFindings } from './network-findings.ts';
import {
  type GivenReason,
  inEnglish,
  type Params,
  type Sentence,
  sentences,
  type ValuesOf,
  written,
} from './sentences.ts';

/** By code, for the checks of doctor and of the network test. */
const findingTexts = {
  config: finding('nothing wrong', '没有问题'),
  config_wrong: finding(
    ({ error }: { error: string }) => `wrong: ${error}`,
    ({ error }) => `配置有误：${error}`,
    {
      en: 'write it as docs/config.md says, and see `gatehouse check-config`',
      zh: '请按 docs/config.md 改正，并运行 `gatehouse check-config` 检查。',
    },
  ),
  check_failed: finding(
    ({ error }: { error: string }) => `the check failed: ${error}`,
    ({ error }) => `检查未能完成：${error}`,
  ),
  skipped: finding(
    ({ because }: { because: string }) => `not tried: ${because} failed`,
    ({ because }) => `未检测：前面的环节 ${because} 断开`,
  ),
  files: finding(
    ({ folder }: { folder: string }) => `${folder} is writable and the one of all processes`,
    ({ folder }) => `${folder} 可写，且为各进程共用`,
  ),
  files_refused: finding(
    ({ folder, error }: { folder: string; error: string }) => `${folder} cannot be written to by the process: ${error}`,
    ({ folder, error }) => `进程无法写入 ${folder}：${error}`,
    {
      en: ({ folder }) =>
        `see that it is mounted and belongs to gatehouse, and that ReadWritePaths=${folder} stands in /etc/systemd/system/gatehouse.service.d/region.conf`,
      zh: ({ folder }) =>
        `请确认已挂载、属于用户 gatehouse，并且 /etc/systemd/system/gatehouse.service.d/region.conf 中有 ReadWritePaths=${folder}。`,
    },
  ),
  ...networkFindings,
  ...machineFindings,
};

export const checkFindings = sentences(findingTexts);

/** Remedies of findings: by `remedyOf`. */
export const checkRemedies = remediesOf(findingTexts);

/** A finding as an answer has it: in English, and by code. */
export interface Found {
  readonly code: string;
  readonly params: Params;
  readonly message: string;
  /** Empty: nothing is to be done. */
  readonly remedy: string;
}

export const remedyOf = ({ code, params, remedy }: Omit<Found, 'message'>): GivenReason => ({
  reason: remedy,
  code: `remedy_of_${code}`,
  params,
});

type FindingCode = keyof typeof findingTexts;

export function found<Code extends FindingCode>(code: Code, ...values: ValuesOf<(typeof findingTexts)[Code]>): Found {
  const { reason: message, params } = checkFindings.say(code, ...(values as never));
  return { code, params, message, remedy: inEnglish(remedyOf({ code, params, remedy: '' }), checkRemedies) };
}

/** Both in one sentence. */
export const withRemedy = <P>({ en, zh, todo }: FindingText<P>): Sentence<P> => ({
  en: of => `${written(en, of)}; ${todo ? written(todo.en, of) : ''}`,
  zh: of => `${written(zh, of)}；${todo ? written(todo.zh, of) : ''}`,
});
