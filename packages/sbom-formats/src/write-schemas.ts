import { writeCycloneDxSchemas } from './schema-files';

writeCycloneDxSchemas();
