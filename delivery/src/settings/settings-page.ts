import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { serviceNames, type ServiceName } from '@bomtrail/messages';
import { describeSettings, type DescribedSetting } from './describe-setting';
import type { SettingsSchema } from './schemas';

/** Where the page lies. */
export const settingsPageFile = path.join(repositoryRoot(), 'docs', 'generated', 'settings.md');

const head = `# Settings

Made by \`npm run gen\` from the schemas by which the processes read their environment
(\`packages/service-runtime/src/settings/common-settings.ts\`, \`services/*/src/config.ts\`); a test holds that it is up
to date.

- Each setting may also be given as \`NAME_FILE\`, the path of a file with the value, whose last line break is
  dropped. That is the way for secrets. Given both ways it is a mistake.
- An empty value counts as not given.
- A wrong value, or one that needs another beside it, stops the start: one line for each mistake, which names
  the setting, and exit code 78.
- Settings are read at the start only.

The tools \`keys\`, \`reconcile\`, \`dead-letters\`, \`backup\` and \`restore\` read those by which MongoDB and NATS are
reached, as the services do. What \`npm start\` reads besides, and what it sets itself, stands in
[packages/embedded](../../packages/embedded/README.md#settings); the settings of the command line \`bomtrail\` in
[packages/cli](../../packages/cli/README.md#settings); how the chart sets them in
[its README](../../deploy/helm/bomtrail/README.md).
`;

/** The page of all settings: those of every service first, then what each reads besides. */
export function settingsPage(schemas: Readonly<Record<ServiceName, SettingsSchema>>): string {
  const all = new Map(serviceNames.map((name) => [name, describeSettings(schemas[name])]));
  const readers = (setting: string): ServiceName[] =>
    serviceNames.filter((name) => all.get(name)?.some((one) => one.name === setting));
  const [first = []] = all.values();
  const common = first.filter(({ name }) => readers(name).length === serviceNames.length);
  const own = (service: ServiceName): DescribedSetting[] => {
    const others = (setting: string) => readers(setting).filter((name) => name !== service);
    return (all.get(service) ?? [])
      .filter(({ name }) => !common.some((one) => one.name === name))
      .map((one) => ({ ...one, text: withReaders(one.text, others(one.name)) }));
  };
  const sections = serviceNames.map((name) => section(name, own(name)));
  return [head, section('Every service', common), ...sections].join('\n');
}

function withReaders(text: string, others: readonly string[]): string {
  return others.length === 0 ? text : `${text}. Also read by ${others.join(' and ')}`;
}

function section(title: string, settings: readonly DescribedSetting[]): string {
  const rows = settings.map(({ name, form, byDefault, text }) => {
    const cells = [`\`${name}\``, form, byDefault, text];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const table = [
    '| setting | value | default | what it is |',
    '| --- | --- | --- | --- |',
    ...rows,
  ];
  const body = rows.length === 0 ? ['None of its own.'] : table;
  return [`## ${title}`, '', ...body, ''].join('\n');
}
