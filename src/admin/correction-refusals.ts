import type { CorrectionOutcome, CorrectionRefusal } from '../store/index.ts';
import { type AdminRefused, refused } from './problem.ts';

/** The outcome of a correction that was done. Throws AdminRefused where it was not. */
export function doneOf(result: CorrectionOutcome): CorrectionOutcome & { ok: true } {
  if (!result.ok) throw refusalOf(result.why, result.extId);
  return result;
}

function refusalOf(why: CorrectionRefusal, extIdOf: string): AdminRefused {
  switch (why) {
    case 'unknown_person':
      return refused(404, 'unknown_person', `nobody has the id ${extIdOf}`);
    case 'unknown_punch':
      return refused(404, 'unknown_punch', `${extIdOf} has no such check-in`);
    case 'unknown_correction':
      return refused(404, 'unknown_correction', 'there is no correction with this number');
    case 'already':
      return refused(409, 'already', 'this is corrected so already, or somebody has asked for it');
    case 'set_aside':
      return refused(409, 'set_aside', 'this check-in is set aside and counts on no date: undo that first');
    case 'decided':
      return refused(409, 'decided', 'this correction was decided before: load the page again');
    case 'not_approved':
      return refused(409, 'not_approved', 'only a correction that counts can be undone, and an undo cannot');
    case 'same_person':
      return refused(
        409,
        'same_person',
        'who asked for a correction may not approve it: another person has to; one that a command asked for names nobody: refuse it and ask again',
      );
    case 'not_asker':
      return refused(409, 'not_asker', 'only who asked for a correction may withdraw it: refuse it instead');
  }
}
