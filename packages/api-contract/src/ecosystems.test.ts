import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { openapiDocument } from './document';

interface Values {
  enum?: string[];
}

test('the filters by ecosystem know exactly those that are matched', () => {
  const { components } = openapiDocument() as {
    components: {
      parameters: Record<string, { schema: Values }>;
      schemas: Record<string, { properties?: { ecosystem?: Values } }>;
    };
  };
  expect(components.parameters['EcosystemFilter']?.schema.enum).toEqual(MATCHED_ECOSYSTEMS);
  const ofDecisions = ['DecisionFilter', 'DecisionRuleFilter'].map(
    (name) => components.schemas[name]?.properties?.ecosystem?.enum,
  );
  expect(ofDecisions).toEqual([MATCHED_ECOSYSTEMS, MATCHED_ECOSYSTEMS]);
});
