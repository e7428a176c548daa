import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { customResourceTypes } from '../tools/pins';
import { npmPackages, type Say } from '../tools/fetch';
import type { KubeObject } from './objects';

/** Checks objects against the published types of their custom resources; unknown fields are errors. */
export type CheckTypes = (objects: readonly KubeObject[]) => Promise<string[]>;

/** Fetches the types. @throws Error if they are not available */
export async function customResourceChecker(say: Say): Promise<CheckTypes> {
  const pins = Object.values(customResourceTypes).map((one) => `${one.package}@${one.version}`);
  const folder = await npmPackages(pins, say);
  return async (objects) => {
    const inside = await mkdtemp(path.join(folder, 'check-'));
    try {
      const file = path.join(inside, 'objects.ts');
      await writeFile(file, asTypeScript(objects.filter(isCustom)));
      return compile(file);
    } finally {
      await rm(inside, { recursive: true });
    }
  };
}

/** True for a group with known types. */
export function isCustom(object: KubeObject): boolean {
  return groupOf(object) in customResourceTypes;
}

function groupOf(object: KubeObject): string {
  return object.apiVersion.split('/')[0] ?? '';
}

/** Generates a typed literal per object, so that the compiler rejects unknown fields. */
function asTypeScript(objects: readonly KubeObject[]): string {
  return objects
    .map((object, at) => {
      const types = customResourceTypes[groupOf(object)]?.package;
      const from = `${types}/${object.apiVersion}/${object.kind}`;
      const literal = JSON.stringify(object, null, 1);
      return (
        `import type { I${object.kind} as Type${at} } from '${from}';\n` +
        `export const object${at}: Type${at} = ${literal};\n`
      );
    })
    .join('\n');
}

function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts.getPreEmitDiagnostics(program).map((one) => {
    const line = one.file ? lineAt(one.file, one.start ?? 0) : '';
    return `${ts.flattenDiagnosticMessageText(one.messageText, ' ')} ${line}`.trim();
  });
}

function lineAt(file: ts.SourceFile, start: number): string {
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `(${(file.text.split('\n')[line] ?? '').trim()})`;
}
