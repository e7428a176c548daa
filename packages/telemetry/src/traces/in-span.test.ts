import { currentContext } from '../log/context';
import { createBatcher } from '@bomtrail/concurrency';
import { currentTraceparent, inNewContext, inSpan, resumed } from './in-span';
import { recordingTracer } from './testing/recording-tracer';

const start = (name: string) => ({ name });

test('without a tracer work is done as it is, in a context of its own', async () => {
  const result = inNewContext(undefined, { start: () => start('request') }, () =>
    inSpan(start('part'), async (span) => [
      span,
      currentTraceparent(),
      currentContext()?.requestId,
    ]),
  );
  expect(await result).toEqual([undefined, undefined, expect.stringMatching(/^[0-9a-f]{24}$/)]);
});

test('a part is a part of the work at hand, and what fails says what, not why', async () => {
  const tracer = recordingTracer();
  const failing = inNewContext(tracer, { start: () => start('request') }, () =>
    inSpan(start('part'), async () => {
      throw new RangeError('a secret');
    }),
  );
  await expect(failing).rejects.toThrow('a secret');
  expect(tracer.spans).toMatchObject([
    { name: 'request', parent: undefined, failed: 'RangeError', hasEnded: true },
    { name: 'part', parent: 'request', failed: 'RangeError', hasEnded: true },
  ]);
  expect(JSON.stringify(tracer.spans)).not.toContain('secret');
});

test('work for one context keeps its span; work for several gets one span linked with each', async () => {
  const tracer = recordingTracer();
  const seen: (string | undefined)[] = [];
  const write = createBatcher<number, void>(async (items) => {
    await inSpan(start(`write ${items.length}`), async () => {
      seen.push(currentContext()?.requestId);
    });
    return items.map(() => undefined);
  }, 10);
  const request = (name: string, item: number) =>
    inNewContext(tracer, { requestId: name, start: () => start(name) }, () => write(item));
  await request('alone', 1);
  await Promise.all([request('first', 2), request('second', 3)]);
  expect(seen).toEqual(['alone', 'first']);
  const [, writeOne, first, second, several, writeTwo] = tracer.spans;
  expect([writeOne?.name, writeOne?.parent]).toEqual(['write 1', 'alone']);
  expect([several?.name, several?.parent]).toEqual(['batch', 'first']);
  expect([writeTwo?.name, writeTwo?.parent]).toEqual(['write 2', 'batch']);
  expect(several?.links).toEqual([second?.traceparent]);
  expect([first?.links, second?.links]).toEqual([[several?.traceparent], [several?.traceparent]]);
});

test('stored work goes on in the trace that it began in, with a link to who takes it up', async () => {
  const tracer = recordingTracer();
  let upload: string | undefined;
  await inNewContext(tracer, { start: () => start('upload') }, async () => {
    upload = currentTraceparent();
  });
  const other = `00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`;
  await inNewContext(tracer, { start: () => start('sweep') }, () =>
    resumed({ tracer, traceparents: [upload, other, upload] }, start('again'), () =>
      inSpan(start('publish'), async () => undefined),
    ),
  );
  const [, sweep, again, publish] = tracer.spans;
  expect(again).toMatchObject({ parent: 'upload', links: [other, sweep?.traceparent] });
  expect(publish?.parent).toBe('again');
});
