import { nextBatch } from './service-saver';

/** `a:60` is a service of project a with 60 changed vulnerabilities. */
function waiting(...services: string[]) {
  return services.map((name) => {
    const [project_id = '', vulnerabilities] = name.split(':');
    return {
      name,
      change: { project_id, vulnerabilities: Array.from({ length: Number(vulnerabilities) }) },
    };
  });
}

test.each([
  [[], []],
  [['a:1'], ['a:1']],
  [
    ['a:320', 'a:320', 'a:1'],
    ['a:320', 'a:320'],
  ],
  [['a:5000', 'a:1'], ['a:5000']],
  [
    ['a:0', 'a:0', 'a:0'],
    ['a:0', 'a:0', 'a:0'],
  ],
  [
    ['a:300', 'a:301', 'a:302', 'b:60'],
    ['a:300', 'b:60'],
  ],
  [
    ['a:60', 'a:61', 'b:60', 'c:400', 'b:62'],
    ['a:60', 'b:60', 'c:400', 'a:61'],
  ],
])('of the services %j that wait, %j are saved next', (services, next) => {
  expect(nextBatch(waiting(...services)).map(({ name }) => name)).toEqual(next);
});
