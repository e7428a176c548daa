import { joinLicences, statedLicence } from './licence-expression';

describe('several licences', () => {
  test.each<[string[], string | null]>([
    [[], null],
    [['MIT'], 'MIT'],
    [['A OR B'], 'A OR B'],
    [['A OR B', 'C'], '(A OR B) AND C'],
    [['(A OR B)', 'C'], '(A OR B) AND C'],
    [['(A OR B) AND (C OR D)', 'E'], '((A OR B) AND (C OR D)) AND E'],
    [['A AND B', 'C'], 'A AND B AND C'],
    [['A WITH exception', 'B'], 'A WITH exception AND B'],
    [['A or B', 'C'], '(A or B) AND C'],
    [['(A)OR(B)', 'C'], '((A)OR(B)) AND C'],
    [['FOOORBAR', 'B'], 'FOOORBAR AND B'],
    [['A', 'B', 'A'], 'A AND B'],
    [['(A OR B', 'C'], '((A OR B) AND C'],
  ])('%j are joined to %j', (licences, expression) => {
    expect(joinLicences(licences)).toBe(expression);
  });
});

describe('a licence that says nothing', () => {
  test.each([undefined, '', ' ', 'NONE', 'NOASSERTION'])('%j is none', (text) => {
    expect(statedLicence(text)).toBeNull();
  });
});
