import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { openapiDocument } from './document';

test('the filter by ecosystem knows exactly those that are matched', () => {
  const { parameters } = openapiDocument().components as unknown as {
    parameters: Record<string, { schema: { enum?: string[] } }>;
  };
  expect(parameters['EcosystemFilter']?.schema.enum).toEqual(MATCHED_ECOSYSTEMS);
});
