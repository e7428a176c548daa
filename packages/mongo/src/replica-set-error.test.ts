import { replicaSetError } from './replica-set-error';

const of = (setName: string) => ({ setName, isWritablePrimary: true });
const standalone = { isWritablePrimary: true };
const uninitiated = { isreplicaset: true };
const router = { msg: 'isdbgrid' };

const error = (replicaSet: string | undefined, ...answers: (object | null)[]) =>
  replicaSetError(
    { hosts: answers.map((_, index) => `h${index}:1`), ...(replicaSet && { replicaSet }) },
    new Map(answers.flatMap((answer, index) => (answer ? [[`h${index}:1`, answer]] : []))),
  );

test('servers of other replica sets than that of the URI are named', () => {
  expect(error('rs0', of('a'), of('b'), of('a'))).toBe(
    "MONGODB_URI: no server in it is a member of its replicaSet 'rs0', but of 'a' and 'b'.",
  );
});

test.each([undefined, 'rs0'])('a mongod without a replica set is named (%s)', (replicaSet) => {
  expect(error(replicaSet, standalone)).toMatch(/a mongod without a replica set/);
});

test.each([
  ['is a member', 'rs0', [of('a'), of('rs0')]],
  ['does not answer', 'rs0', [of('a'), null]],
  ['waits for its initiation', 'rs0', [of('a'), uninitiated]],
  ['is a router', undefined, [router]],
  ['is of any set, and the URI names none', undefined, [of('a')]],
] as const)('the start waits where a server %s', (_, replicaSet, answers) => {
  expect(error(replicaSet, ...answers)).toBeUndefined();
});
