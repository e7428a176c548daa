import type { ModelAdvisory } from '@bomtrail/reference-model';
import { componentsOf, pick, type LoadContext } from './driven-project';

const advisories = ['a', 'b', 'c', 'd'];

/** Publishes an advisory about the project's packages, withdraws one, or changes its range or severity. */
export async function changeAdvisory({
  draw,
  folder,
  project,
  witness,
}: LoadContext): Promise<void> {
  const one = `${pick(draw, advisories)}-${project.name}`;
  const components = componentsOf(project);
  const { model } = project;
  const known = model.advisories.find(({ id }) => id === `GHSA-${one}`);
  const advisory: ModelAdvisory = known ?? {
    id: `GHSA-${one}`,
    aliases: [`CVE-2026-${one}`],
    affects: components,
    severity: 'medium',
    withdrawn: false,
  };
  const chance = draw(4);
  if (chance === 0 && known) advisory.withdrawn = !advisory.withdrawn;
  else if (chance <= 2) advisory.affects = narrowed(components.filter(() => draw(2) === 0));
  else advisory.severity = advisory.severity === 'medium' ? 'critical' : 'medium';
  if (!known) model.advisories.push(advisory);
  await folder.put(advisory);
  witness.acknowledged('advisory change');

  function narrowed(list: string[]): string[] {
    return list.length > 0 ? list : [`${project.name}-none@1.0.0`];
  }
}
