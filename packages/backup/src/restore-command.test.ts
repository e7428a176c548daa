import { restore, restoreUsage } from './restore-command';

test.each([
  [['--from', '']],
  [['--newest-in', '']],
  [['--newest-in', '', '--max-age-hours', '24']],
  [['--from', '', '--newest-in', 'backups']],
  [['--from', 'backup', '--newest-in', '']],
  [['--from', 'backup', '--newest-in', 'backups']],
  [[]],
])('%j names no one folder, and is refused before anything is read', async (args) => {
  const say = jest.fn();
  await expect(restore({ env: {}, say }, args)).rejects.toMatchObject({ message: restoreUsage });
  expect(say).not.toHaveBeenCalled();
});
