import { BenchFailure } from '../bench-failure';
import type { Calibration } from '../measure/calibration';
import { figureNames, figureTitles } from './figures';
import type { BenchReport } from './bench-report';
import { calibrationLine, plainTable, shortNumber, shown } from './tables';

/** A machine that is this much slower or faster changes the figures more than most changes of the code. */
const sameMachineWithin = 0.1;

type Compared = Pick<BenchReport, 'calibration' | 'commit' | 'data' | 'scenarios' | 'smoke'>;

/**
 * The medians of two reports side by side, B also as a multiple of A, for the scenarios that both have,
 * with a warning where they do not stand on the same ground. Throws a `BenchFailure` when they have no
 * scenario in common.
 */
export function renderComparison(a: Compared, b: Compared): string {
  const table = plainTable(['scenario', 'figure', 'A', 'B', 'B / A', 'aim of B']);
  for (const { name, summary, aims } of b.scenarios) {
    const before = a.scenarios.find((scenario) => scenario.name === name)?.summary;
    if (before === undefined) continue;
    const rows = figureNames.flatMap((figure) => {
      const [from, to] = [before[figure]?.median, summary[figure]?.median];
      if (from === undefined || to === undefined) return [];
      const ratio = from === 0 ? '' : shortNumber(to / from);
      const aim = aims?.find((one) => one.figure === figure);
      const reached = aim === undefined ? '' : aim.isReached ? 'reached' : 'not reached';
      const { title } = figureTitles[figure];
      return [[title, shown(figure, from), shown(figure, to), ratio, reached]];
    });
    rows.forEach((row, n) => table.push([n === 0 ? name : '', ...row]));
  }
  if (table.length === 0) throw new BenchFailure('the two reports have no scenario in common');
  const described = [a, b].map((report, n) => `${'AB'[n]}: ${describe(report)}`);
  return [table.toString(), ...described, ...warnings(a, b)].join('\n');
}

function describe({ commit, calibration, smoke }: Compared): string {
  const hash = commit === null ? 'no commit' : commit.hash.slice(0, 12);
  const modified = commit?.modified === true ? ' with changes' : '';
  const size = smoke ? ' (smoke: no figures to compare)' : '';
  return `${hash}${modified}${size}; before: ${calibrationLine(calibration.before)}; after: ${calibrationLine(calibration.after)}`;
}

/** What makes the figures differ for other reasons than the code, one line each. */
function warnings(a: Compared, b: Compared): string[] {
  const said: string[] = [];
  const apart = (names: string, one: Calibration, other: Calibration): void => {
    const ratio = Math.max(
      ...(Object.keys(one) as (keyof Calibration)[]).map((name) =>
        Math.max(one[name] / other[name], other[name] / one[name]),
      ),
    );
    if (ratio - 1 > sameMachineWithin) {
      said.push(`warning: the calibration differs by a factor of ${shortNumber(ratio)} ${names}`);
    }
  };
  apart('between A and B, before', a.calibration.before, b.calibration.before);
  apart('between A and B, after', a.calibration.after, b.calibration.after);
  apart('within A: the machine was busy', a.calibration.before, a.calibration.after);
  apart('within B: the machine was busy', b.calibration.before, b.calibration.after);
  if (a.data.document !== b.data.document || a.data.advisories !== b.data.advisories) {
    said.push('warning: the reports are about different documents or advisories');
  }
  return said;
}
