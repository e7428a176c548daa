/** A component of a CycloneDX document. */
interface Component {
  type: 'library';
  name: string;
  version: string;
  purl: string;
}

/** A CycloneDX document of npm packages, `package@version` each. */
export function documentOf(components: readonly string[]): Buffer {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: components.map(componentOf),
  };
  return Buffer.from(JSON.stringify(document));
}

function componentOf(text: string): Component {
  const at = text.lastIndexOf('@');
  const [name, version] = [text.slice(0, at), text.slice(at + 1)];
  return { type: 'library', name, version, purl: `pkg:npm/${text}` };
}
