import { finding, reportOf } from '../../testing/findings';
import { tableReport } from './table-report';

test.each([
  ['At or above high:', {}],
  ['Failing:', { fail_on: 'none', fail_on_kev: true }],
  ['Failing:', { max_epss: 0.5 }],
] as const)('the failing findings have the heading %s', (heading, verdict) => {
  expect(tableReport([reportOf([finding()], { verdict })])?.split('\n')).toContain(heading);
});

test('a reason that several elements of the quality share is listed once', () => {
  const lacking = { required_by: [], present: 0, total: 0, reason: 'Is empty.' };
  const quality = {
    score: 0,
    ntia_score: 0,
    bsi_score: 0,
    components: 0,
    elements: (['name', 'version'] as const).map((element) => ({ element, ...lacking })),
  };
  const text = tableReport([reportOf([], { verdict: { quality } })]) ?? '';
  expect(text.match(/Is empty/g)).toHaveLength(1);
});
