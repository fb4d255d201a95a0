import { z } from 'zod';
import { type ActionName, defaultActions } from '../platform/actions.ts';
import { documented, oneOf, whole } from './kinds.ts';

const actionCode = whole(0, 2 ** 31 - 1);
const writeAction = 'write the code, "off", or { code: 41, answered_by: cloud }';

const action = (name: ActionName) =>
  documented(
    z
      .union(
        [
          actionCode,
          z.literal('off'),
          z.strictObject({
            code: actionCode.default(defaultActions[name]),
            answered_by: oneOf(['box', 'cloud']).default('box'),
          }),
        ],
        { error: () => writeAction },
      )
      .default(defaultActions[name]),
    `Code of ${name} in the messages of devices; "off": no code has this meaning here; { code, answered_by: cloud }: the cloud answers it`,
    { kind: 'whole number, off, or { code, answered_by: box or cloud }' },
  );

/** The config key `actions` (CONTRACT 4). */
export const actions = z.strictObject(
  Object.fromEntries((Object.keys(defaultActions) as ActionName[]).map(name => [name, action(name)])) as Record<
    ActionName,
    ReturnType<typeof action>
  >,
);
