import { expect, test } from 'vitest';
import { attendanceCalls } from '../../../src/attendance/http/attendance-calls.ts';
import { organizationCalls } from '../../../src/attendance/http/organization-calls.ts';
import { anAttendanceBox } from '../../support/attendance.ts';

const calls = [...organizationCalls, ...attendanceCalls];

test.each(calls.map(one => [`${one.path} ${one.command}`, one] as const))(
  'the example of %s is a body that the call takes',
  async (_name, { path, command, example }) => {
    await using box = await anAttendanceBox();
    const answer = await (command === ''
      ? box.caller.call(path, example as object)
      : box.caller.run(command, example as object));
    // Its form is right, even where nobody has the ids that it names.
    expect([0, 201, 202, 203, 108]).toContain(answer.code);
  },
);
