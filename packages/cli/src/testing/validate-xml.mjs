/** Validates standard input against the XML schema in the file that is named; exits with 1 and the reasons. */
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const schema = XmlDocument.fromBuffer(readFileSync(process.argv[2]));
const validator = XsdValidator.fromDoc(schema);
try {
  validator.validate(XmlDocument.fromBuffer(readFileSync(0)));
} catch (error) {
  process.stderr.write(String(error.message));
  process.exitCode = 1;
}
