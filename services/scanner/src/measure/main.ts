import { measureMatching } from './measure-matching';

const [componentsFile = '', advisoriesFolder = '', passes = '5'] = process.argv.slice(2);
void measureMatching(componentsFile, advisoriesFolder, Number(passes)).then((figures) =>
  process.stdout.write(`${JSON.stringify(figures)}\n`),
);
