import type { Plan, Step } from './steps.ts';

/**
 * A plan with as few steps as it takes to fail: halves, quarters and so on are left out as long as
 * `fails`, and at last each step alone (delta debugging).
 */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let { steps } = plan;
  for (let pieces = 2; steps.length > 1; ) {
    const size = Math.ceil(steps.length / pieces);
    const shorter = await firstThatFails(steps, size, left => fails({ ...plan, steps: left }));
    if (shorter) {
      steps = shorter;
      pieces = Math.max(2, pieces - 1);
    } else if (size === 1) break;
    else pieces = Math.min(steps.length, pieces * 2);
  }
  return { ...plan, steps };
}

async function firstThatFails(
  steps: readonly Step[],
  size: number,
  fails: (left: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[] | null> {
  for (let at = 0; at < steps.length; at += size) {
    const left = steps.toSpliced(at, size);
    if (await fails(left)) return left;
  }
  return null;
}
