import { readFileSync } from 'node:fs';
import { sharedData } from '../paths';
import { documentBytes, type CycloneDxDocument } from './cyclonedx-document';
import { generatedDocument, generatedPairs } from './generated-document';

const realDocument = '100-cdx-proton-bridge-v1.8.0.cdx';
const generatedSize = 201;

/** The document whose variants are uploaded, and what must be found in it. */
export interface BaseDocument {
  name: string;
  /** Exactly as it is uploaded when it is uploaded unchanged. */
  bytes: Buffer;
  document: CycloneDxDocument;
  expected: ExpectedPairs;
}

/** `purl<TAB>advisory id`: exactly these (`complete`), or at least these. */
export interface ExpectedPairs {
  pairs: string[];
  complete: boolean;
}

/** The real Go document of 201 components from the shared data where that exists, else one of the same shape. */
export function loadBaseDocument(): BaseDocument {
  const file = sharedData('sboms', `${realDocument}.json`);
  const pairs = sharedData('expected', `${realDocument}.tsv`);
  if (file === undefined || pairs === undefined || sharedData('advisories') === undefined) {
    const document = generatedDocument(generatedSize);
    return {
      name: `generated (${generatedSize} Go modules)`,
      bytes: documentBytes(document),
      document,
      expected: { pairs: generatedPairs(), complete: false },
    };
  }
  const bytes = readFileSync(file);
  return {
    name: `${realDocument}.json`,
    bytes,
    document: JSON.parse(bytes.toString('utf8')) as CycloneDxDocument,
    expected: { pairs: readLines(pairs), complete: true },
  };
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
