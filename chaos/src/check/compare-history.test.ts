import { emptyProject } from '../load/driven-project';
import { createWitness } from '../witness';
import { compareHistory } from './compare-history';

const ids = ['1', '2', '3'];

/** What is said of a history that shows these, newest first, where 1, 2 and 3 were acknowledged. */
async function saidOf(snapshot: string[]): Promise<string[]> {
  const witness = createWitness(() => {});
  const project = emptyProject('p', 'Shop');
  project.model.sboms = ids.map((id) => ({
    id,
    service: 'api',
    created_at: '',
    components: [],
    content: id,
  }));
  const page = { items: snapshot.map((id) => ({ id, service_name: 'api' })), has_more: false };
  const json = async <Body>(): Promise<Body> => page as Body;
  await compareHistory({ witness, caller: { json } }, project);
  return witness.differences.map(({ kind }) => kind);
}

test('a history is held to what was acknowledged: nothing lost, nothing twice, in order', async () => {
  expect(await saidOf(['3', '2', '1'])).toEqual([]);
  expect(await saidOf(['3', '1'])).toEqual(['lost']);
  expect(await saidOf(['3', '3', '2', '1'])).toEqual(['double']);
  expect(await saidOf(['4', '3', '2', '1'])).toEqual(['double']);
  expect(await saidOf(['2', '3', '1'])).toEqual(['differs']);
});
