import { join } from 'node:path';
import { exampleRounds, exampleSbom, roundsOf } from './example-sboms';

describe('the example SBOMs', () => {
  test('say service and version in their names', () => {
    expect(exampleSbom('/d', 'web-shop-1.10.0.cdx.json')).toEqual({
      serviceName: 'web-shop',
      version: '1.10.0',
      file: '/d/web-shop-1.10.0.cdx.json',
    });
    expect(exampleSbom('/d', 'README.md')).toBeUndefined();
  });

  test('are uploaded version by version, 1.9.0 before 1.10.0', () => {
    const names = ['a-1.10.0.cdx.json', 'b-2.0.spdx.json', 'a-1.9.0.cdx.json'];
    const rounds = roundsOf(names.flatMap((name) => exampleSbom('/d', name) ?? []));
    expect(rounds.map((round) => round.map((s) => `${s.serviceName} ${s.version}`))).toEqual([
      ['a 1.9.0', 'b 2.0'],
      ['a 1.10.0'],
    ]);
  });

  test('of the repository are three services in two versions', async () => {
    const rounds = await exampleRounds(join(process.cwd(), 'examples', 'sboms'));
    expect(rounds.map((round) => round.length)).toEqual([3, 3]);
  });

  test('that are missing are a reason to stop', async () => {
    await expect(exampleRounds('/nowhere')).rejects.toThrow('no example SBOMs');
  });
});
