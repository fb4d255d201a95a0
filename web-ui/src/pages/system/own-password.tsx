import { Problem, post, signedOut } from '../../api.ts';
import { useForm } from '../../parts/doing.ts';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notices.tsx';
import { saidProblem } from './said-problem.ts';
import { words } from './users-words.ts';

/** For everybody, whatever the role. */
export function OwnPassword() {
  const said = words.value;
  const { busy, refused, submit } = useForm(async form => {
    if (form.get('new') !== form.get('again')) throw new Problem(0, 'differs', said.differs);
    await post('/me/password', { old: String(form.get('old')), new: String(form.get('new')) });
    // The change also ended the session: the page asks to sign in.
    signedOut.value = true;
  });
  return (
    <section aria-labelledby="own-password">
      <h2 id="own-password">{said.own}</h2>
      <form class="narrow" onSubmit={submit}>
        <Field label={said.old} name="old" type="password" required autocomplete="current-password" />
        <Field
          label={said.newPassword}
          hint={said.passwordHint}
          name="new"
          type="password"
          required
          autocomplete="new-password"
        />
        <Field label={said.again} name="again" type="password" required autocomplete="new-password" />
        <p class="quiet">{said.ownHint}</p>
        <ProblemNotice problem={saidProblem(refused.value)} />
        <p>
          <button type="submit" class="act" disabled={busy.value}>
            {said.setOwn}
          </button>
        </p>
      </form>
    </section>
  );
}
