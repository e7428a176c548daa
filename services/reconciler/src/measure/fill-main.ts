import { startFilled, type MeasuredDatabase } from './start-filled';

/** Fills the reconciler's database of a stopped stack, and creates its indexes. */
async function fill(order: MeasuredDatabase & { prefix: string }): Promise<void> {
  const filled = await startFilled(order, order.prefix, (line) =>
    process.stderr.write(`${line}\n`),
  );
  await filled.stop();
  const { vulnerabilities } = order;
  const { prepareSeconds } = filled;
  process.stdout.write(`${JSON.stringify({ vulnerabilities, prepareSeconds })}\n`, () =>
    process.exit(),
  );
}

void fill(JSON.parse(process.argv[2] ?? '') as MeasuredDatabase & { prefix: string });
