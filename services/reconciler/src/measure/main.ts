import { measureLists, type ListsOrder } from './measure-lists';

const order = JSON.parse(process.argv[2] ?? '') as ListsOrder;
void measureLists(order, (line) => process.stderr.write(`${line}\n`)).then((measured) =>
  process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit()),
);
