import { finding, reportOf } from '../../testing/findings';
import { tableReport } from './table-report';

test.each([
  ['At or above high:', {}],
  ['Failing:', { fail_on: 'none', fail_on_kev: true }],
  ['Failing:', { max_epss: 0.5 }],
] as const)('the failing findings have the heading %s', (heading, verdict) => {
  expect(tableReport([reportOf([finding()], { verdict })])?.split('\n')).toContain(heading);
});
