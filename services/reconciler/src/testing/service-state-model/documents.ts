/** A component of a document: package, number of its version, and what tells two of one version apart. */
export interface ModelComponent {
  name: string;
  version: number;
  qualifier: string;
  is_direct: boolean;
}

/** What uploads hold: few, so that the same ones come again; versions 9 and 10, because 10 is not below 9. */
const texts = [
  '',
  'p@1',
  'p@9',
  'p@10',
  'p@9 p@10',
  'p@10! p@9?x p@9',
  'q@1',
  'p@1 q@1',
  'p@9 q@10!',
  'p@10 p@1! q@9 q@1',
] as const;

export const documents: readonly (readonly ModelComponent[])[] = texts.map((text) =>
  text.split(' ').flatMap((part) => {
    const [, name, version, qualifier = '', direct] = /^(\w)@(\d+)(\?x)?(!)?$/.exec(part) ?? [];
    if (!name || !version) return [];
    return [{ name, version: Number(version), qualifier, is_direct: direct !== undefined }];
  }),
);
