import { matchStatements } from '../matching/match-statements';
import { readVex } from '../read-vex';
import { exampleSbom, inWords } from '../testing/example-sbom';

type Branch = [category: string, name: string];

const at = '2026-01-02T03:04:05.000Z';
const app: Branch = ['product_version', '1.0.0'];

/** A document that says of one product that it is not affected. */
function csaf(product_tree: object, product_id: string): Buffer {
  const document = {
    category: 'csaf_vex',
    csaf_version: '2.0',
    publisher: { category: 'vendor', name: 'Example', namespace: 'https://example.com' },
    title: 'Test',
    tracking: {
      current_release_date: at,
      id: 'test',
      initial_release_date: at,
      revision_history: [{ date: at, number: '1', summary: 'First.' }],
      status: 'final',
      version: '1',
    },
  };
  const vulnerability = {
    cve: 'CVE-2026-1234',
    notes: [{ category: 'description', text: 'Test.' }],
    product_status: { known_not_affected: [product_id] },
    threats: [{ category: 'impact', details: 'Not called.', product_ids: [product_id] }],
  };
  return Buffer.from(JSON.stringify({ document, product_tree, vulnerabilities: [vulnerability] }));
}

function branch([category, name]: Branch, id: string, purl: string): object {
  const product = { name: id, product_id: id, product_identification_helper: { purl } };
  return { category, name, product };
}

/** `APP:LIB=LIB in APP` as a relationship. */
function relationship(text: string): object {
  const [id = '', part, , whole] = text.split(/[= ]/);
  return {
    category: 'default_component_of',
    product_reference: part,
    relates_to_product_reference: whole,
    full_product_name: { name: `the product ${id}`, product_id: id },
  };
}

function said(product_tree: object, product_id: string): string[] {
  const result = readVex(csaf(product_tree, product_id), { statements: 10 });
  if (!result.ok) throw new Error(result.detail);
  const products = result.document.statements.map((one) => one.products);
  return matchStatements(exampleSbom(), products).map(inWords);
}

test.each<[string, Branch, string]>([
  ['pkg:npm/lib', ['product_version', '1.0.0'], 'lib@1.0.0'],
  ['pkg:npm/lib', ['product_version', '2.5.0'], 'lib@2.5.0'],
  ['pkg:npm/lib', ['product_version', '9'], 'subcomponent_version_differs'],
  ['pkg:npm/lib', ['product_version_range', 'vers:npm/<2.0.0'], 'subcomponent_version_differs'],
  ['pkg:npm/lib', ['product_version_range', '1.0.0'], 'subcomponent_version_differs'],
  ['pkg:npm/lib@2.5.0', ['product_version', 'lib-2.5.0'], 'lib@2.5.0'],
  ['pkg:npm/lib', ['product_name', 'lib'], 'lib@1.0.0 lib@2.5.0'],
])('VX4 the part %s in the branch %j covers %s', (purl, of, expected) => {
  const tree = {
    branches: [branch(of, 'LIB', purl), branch(app, 'APP', 'pkg:npm/app')],
    relationships: [relationship('APP:LIB=LIB in APP')],
  };
  expect(said(tree, 'APP:LIB')).toEqual([expected]);
});

test.each<[Branch, string]>([
  [['product_version', '1.0.0'], 'everything'],
  [['product_version', '2.0.0'], 'product_version_differs'],
  [['product_version_range', 'vers:npm/<2.0.0'], 'product_version_differs'],
  [['product_version_range', '1.0.0'], 'product_version_differs'],
])('VX4 the product in the branch %j covers %s', (of, expected) => {
  const inner = {
    category: 'product_name',
    name: 'app',
    branches: [branch(of, 'APP', 'pkg:npm/app')],
  };
  expect(said({ branches: [inner] }, 'APP')).toEqual([expected]);
});

test('VX4 a branch inside that of a version has that version', () => {
  const inner = branch(['architecture', 'x86'], 'LIB', 'pkg:npm/lib');
  const outer = { category: 'product_version', name: '1.0.0', branches: [inner] };
  const tree = {
    branches: [outer, branch(app, 'APP', 'pkg:npm/app')],
    relationships: [relationship('APP:LIB=LIB in APP')],
  };
  expect(said(tree, 'APP:LIB')).toEqual(['lib@1.0.0']);
});

test.each([
  [['M:L=LIB in MODULE'], 'lib@2.5.0'],
  [['A:L=LIB in APP'], 'lib@1.0.0 lib@2.5.0'],
  [['M:L=LIB in MODULE', 'A:M:L=M:L in APP'], 'identifier_not_supported'],
  [['A:M=MODULE in APP', 'A:M:L=LIB in A:M'], 'identifier_not_supported'],
])('VX5 the last of the relationships %j covers %s', (relations, expected) => {
  const named = ['app', 'module', 'lib'].map((name) => ({
    name,
    product_id: name.toUpperCase(),
    product_identification_helper: { purl: `pkg:npm/${name}` },
  }));
  const tree = { full_product_names: named, relationships: relations.map(relationship) };
  expect(said(tree, relations.at(-1)?.split('=')[0] ?? '')).toEqual([expected]);
});
