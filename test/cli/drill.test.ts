import { expect, test } from 'vitest';
import { aBox } from '../support/box.ts';

test('a card that forgot the whole drill is named, in Chinese too: exit status 1', async () => {
  await using box = await aBox({}, {});
  const asked = ['drill', 'card', '--seen', '312'];
  expect(await box.run(...asked)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the box knows of no drill'),
  });
  const failed = await box.run(...asked, '--id', '0123456789abcdef', '--cut', '2');
  expect(failed.status).toBe(1);
  expect(failed.stdout).toContain('Cut 2: 312 was seen, and the card has nothing of it.');
  expect(failed.stdout).toContain('Buy an industrial card');
  const chinese = await box.runWith({ env: { LC_ALL: 'zh_CN.UTF-8' } }, 'drill');
  expect(chinese.stdout).toContain('第 2 次断电：最后看到 312，存储卡上什么也没有留下。');
});

test('wrong usage is exit status 2', async () => {
  await using box = await aBox({}, {});
  expect((await box.run('drill', 'card', '--seen', 'many')).status).toBe(2);
  expect((await box.run('drill', 'card', '--id', '0123456789abcdef')).status).toBe(2);
});

test('a box without a cloud has no line to cut', async () => {
  await using box = await aBox({}, {});
  expect(await box.run('drill', 'line')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no line to cut'),
  });
  expect((await box.run('drill', 'line', '--minutes', '61')).status).toBe(2);
});
