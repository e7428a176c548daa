import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const colourRules = ['color-contrast', 'link-in-text-block'];

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/**
 * What axe finds wrong with the view in a tab, one line each. It is put in by the debugger, so the
 * policy of the page stays as it is.
 *
 * @param onlyColours for a second theme, which changes nothing else
 */
export async function accessibilityFaults(
  page: Page,
  { view, onlyColours }: { view: string; onlyColours: boolean },
): Promise<string[]> {
  await page.evaluate(axe);
  const options = { resultTypes: ['violations'], ...(onlyColours ? { runOnly: colourRules } : {}) };
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)})`,
  )) as AxeResult;
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        ({ html, failureSummary }) =>
          `${view}: ${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`,
      ),
  );
}
