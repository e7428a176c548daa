import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_APPLICABLE } from './matching/match-product';
import { justifications } from '@bomtrail/messages';
import {
  cycloneDxJustification,
  JUSTIFICATION_MAPPINGS,
  justificationOfCycloneDx,
  STATES,
  statusOf,
} from './mapping';
import { VEX_STATUSES } from './vex-document';

const formats = ['openvex', 'cyclonedx', 'csaf'] as const;

/** The cells of a table of docs/vex.md, without its head. */
function tableOf(heading: string): string[][] {
  const text = readFileSync(join(__dirname, '../../../docs/vex.md'), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const words = (list: readonly string[]): string => list.map((word) => `\`${word}\``).join(', ');

test('docs/vex.md has the mapping of states', () => {
  expect(tableOf('States')).toEqual(
    STATES.map((row) => [
      `\`${row.status}\``,
      row.decision === null ? 'none' : `\`${row.decision}\``,
      ...formats.map((format) => words(row[format])),
      row.lost ?? 'nothing',
    ]),
  );
});

test('docs/vex.md has the mapping of justifications', () => {
  expect(tableOf('Justifications')).toEqual(
    JUSTIFICATION_MAPPINGS.map(({ justification, cyclonedx, lost }) => [
      `\`${justification}\``,
      words(cyclonedx),
      lost ?? 'nothing',
    ]),
  );
});

test('docs/vex.md has the reasons in order', () => {
  const reasons = tableOf('Why a statement does not apply').map(([reason]) => reason);
  expect(reasons).toEqual(NOT_APPLICABLE.map((reason) => `\`${reason}\``));
});

test('each status and justification has one row, and survives a way out and back unless the row says otherwise', () => {
  expect(STATES.map(({ status }) => status)).toEqual(VEX_STATUSES);
  for (const row of STATES)
    for (const format of formats) {
      const back = statusOf(format, row[format][0] ?? '');
      if (row.lost === null) expect(back).toBe(row.status);
    }
  expect(JUSTIFICATION_MAPPINGS.map(({ justification }) => justification)).toEqual(justifications);
  for (const { justification, lost } of JUSTIFICATION_MAPPINGS) {
    const back = justificationOfCycloneDx(cycloneDxJustification(justification));
    if (justification !== 'component_not_present') expect(back).toBe(justification);
    else expect(lost).toContain(String(back));
  }
});

test('every justification of CycloneDX is read', () => {
  const all = JUSTIFICATION_MAPPINGS.flatMap(({ cyclonedx }) => cyclonedx);
  expect(new Set(all).size).toBe(9);
});
