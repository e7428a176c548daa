import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { openapiDocument } from './document';

test('the filter by ecosystem knows exactly those that are matched', () => {
  const { components } = openapiDocument() as {
    components: { parameters: Record<string, { schema: { enum?: string[] } }> };
  };
  expect(components.parameters['EcosystemFilter']?.schema.enum).toEqual(MATCHED_ECOSYSTEMS);
});
