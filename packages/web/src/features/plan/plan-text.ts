import type { Schemas } from '../../api/client';
import { planText as text } from '../../text/en-plan';

type Line = Pick<
  Schemas['Remediation'],
  'package_name' | 'upgrades' | 'closes' | 'services' | 'service_count'
>;

/** The steps of one package: `1.0.2 → 1.0.7`, several separated by commas; empty if there is none. */
export function stepsOf({ upgrades }: Pick<Line, 'upgrades'>): string {
  return upgrades
    .filter(({ to }) => to !== null)
    .map(({ from, to }) => `${from.join(', ')} → ${to}`)
    .join('; ');
}

/** The plan as a Markdown task list, to be handed to a team. Packages without an upgrade are left out. */
export function planAsMarkdown(lines: readonly Line[]): string {
  return lines
    .filter((line) => stepsOf(line) !== '')
    .map((line) => {
      const services = line.services.map(({ service_name, project_name }) =>
        escaped(service_name ?? project_name),
      );
      const more = line.service_count - services.length;
      if (more > 0) services.push(text.plan.moreServices(more));
      const ids = line.closes.ids.map(escaped).join(', ');
      return `- [ ] **${escaped(line.package_name)}** ${escaped(stepsOf(line))}: closes ${line.closes.total} (${ids}) in ${services.join(', ')}\n`;
    })
    .join('');
}

/** Names come out of documents: none becomes markup in the ticket that it is pasted into. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|!]/g, '\\$&').replace(/\s+/g, ' ');
}
