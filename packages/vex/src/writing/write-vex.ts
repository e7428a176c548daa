import type { VexFormat } from '../vex-document';
import type { ExportDocument } from './export-document';
import { writeCsaf } from './write-csaf';
import { writeCycloneDxVex } from './write-cyclonedx';
import { writeOpenVex } from './write-openvex';

const writers: Readonly<Record<VexFormat, (document: ExportDocument) => object>> = {
  openvex: writeOpenVex,
  cyclonedx: writeCycloneDxVex,
  csaf: writeCsaf,
};

/** Writes decisions in a format. The same content gives the same text. */
export function writeVex(format: VexFormat, document: ExportDocument): string {
  return JSON.stringify(writers[format](document), null, 2);
}
