import { test } from 'vitest';
import { expectWholeStory } from '../support/demo-story.ts';
import { run } from '../support/program.ts';

test('the demo tells its story to the end, and nothing is lost in it', async () => {
  expectWholeStory(await run(['demo', '--once']));
});
