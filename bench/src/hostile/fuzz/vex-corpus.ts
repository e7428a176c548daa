import { sharedData } from '../../paths';
import { documentsIn, parsedOnce, type CorpusDocument } from './corpus';

const folders = ['openvex/valid', 'openvex/old-0.0.1', 'cyclonedx/examples', 'csaf/examples'];

/** Valid VEX documents beside the checkout up to a size, in order; one of each format where there are none. */
export function loadVexCorpus(maxBytes: number): CorpusDocument[] {
  const root = sharedData('vex');
  if (root === undefined) return ownDocuments();
  return documentsIn(root, folders, maxBytes);
}

const at = '2026-01-01T00:00:00Z';
const purl = 'pkg:npm/lodash@4.17.15';

function ownDocuments(): CorpusDocument[] {
  return [
    parsedOnce('own OpenVEX', () => ({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': 'https://example.org/vex',
      author: 'bench',
      timestamp: at,
      version: 1,
      statements: [
        {
          vulnerability: { name: 'CVE-2021-23337' },
          products: [{ '@id': 'pkg:npm/app@1', subcomponents: [{ '@id': purl }] }],
          status: 'not_affected',
          justification: 'vulnerable_code_not_present',
        },
      ],
    })),
    parsedOnce('own CycloneDX', () => ({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
      version: 1,
      components: [{ type: 'library', name: 'lodash', version: '4.17.15', 'bom-ref': 'l', purl }],
      vulnerabilities: [
        { id: 'CVE-2021-23337', analysis: { state: 'not_affected' }, affects: [{ ref: 'l' }] },
      ],
    })),
    parsedOnce('own CSAF', () => ({
      document: {
        category: 'csaf_vex',
        csaf_version: '2.0',
        title: 'Own',
        publisher: { category: 'vendor', name: 'bench', namespace: 'https://example.org' },
        tracking: {
          id: 'own-1',
          status: 'final',
          version: '1',
          current_release_date: at,
          initial_release_date: at,
          revision_history: [{ date: at, number: '1', summary: 'First.' }],
        },
      },
      product_tree: {
        full_product_names: [
          { name: 'lodash', product_id: 'P', product_identification_helper: { purl } },
        ],
      },
      vulnerabilities: [
        {
          cve: 'CVE-2021-23337',
          notes: [{ category: 'description', text: 'Own.' }],
          product_status: { known_not_affected: ['P'] },
          flags: [{ label: 'component_not_present', product_ids: ['P'] }],
        },
      ],
    })),
  ];
}
