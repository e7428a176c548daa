/**
 * Runs a task for each item, at most so many at the same time.
 *
 * @returns the results in the order of the items
 * @throws the first error, once the tasks in progress have ended; no other one begins
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const errors: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      const index = next++;
      try {
        results[index] = await task(items[index] as Item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (errors.length > 0) throw errors[0];
  return results;
}
