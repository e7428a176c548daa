import { csv } from './csv';

test('cells are quoted where they must be, and no cell begins a formula', () => {
  expect(
    csv([
      ['a', 1, null],
      ['x,y', 'say "hi"', 'two\nlines'],
      ['=1+1', '@x', '-2'],
    ]),
  ).toBe(`a,1,\r\n"x,y","say ""hi""","two\nlines"\r\n'=1+1,'@x,'-2\r\n`);
});
