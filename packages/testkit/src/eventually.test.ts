import { eventually } from './eventually';

describe('eventually', () => {
  test('gives what the check gives once it neither throws nor gives false', async () => {
    let tries = 0;
    const check = (): string | false => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return tries > 2 && 'there';
    };
    expect(await eventually(check, { within: 5_000, what: 'it is there' })).toBe('there');
    expect(tries).toBe(3);
  });

  test('fails with what was waited for and the last reason', async () => {
    const never = eventually(() => Promise.reject(new Error('still pending')), {
      within: 60,
      what: 'the SBOM is scanned',
    });
    await expect(never).rejects.toThrow(
      'Not within 60 ms: the SBOM is scanned. Last: still pending',
    );
  });
});
