/**
 * A component of a document: package, version number, and a qualifier that distinguishes components of one
 * version.
 */
export interface ModelComponent {
  name: string;
  version: number;
  qualifier: string;
  is_direct: boolean;
}

/** The uploaded documents: few, so that they repeat; versions 9 and 10, because 10 sorts after 9. */
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
