import { parseReconcileCommand } from './parse-reconcile-command';

const id = '0197C1F0-5E4D-7C3B-A091-2C3D4E5F6A7B';
const whole = { repair: false, project: null, service: null, json: false };

test.each([
  [['--verify'], whole],
  [['--verify', '--repair', '--json'], { ...whole, repair: true, json: true }],
  [['--verify', '--project', 'web-shop'], { ...whole, project: 'web-shop' }],
  [['--verify', '--project', id], { ...whole, project: id.toLowerCase() }],
  [['--verify', `--service=${id}`], { ...whole, service: id.toLowerCase() }],
])('%j is read', (args, command) => {
  expect(parseReconcileCommand(args)).toEqual(command);
});

test.each([
  [[], '--verify is required.'],
  [['--repair'], '--verify is required.'],
  [['--verify', '--fix'], "Unknown option '--fix'"],
  [['--verify', 'web-shop'], 'web-shop'],
  [['--verify', '--project', ''], '--project needs an id or a slug'],
  [['--verify', '--service', 'checkout'], '--service needs the id of a service'],
])('%j is rejected, and it is said why', (args, why) => {
  expect(() => parseReconcileCommand(args)).toThrow(why);
});
