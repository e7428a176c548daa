import { isDeepStrictEqual } from 'node:util';
import type { MediaTypes, OperationObject, ParameterObject, ResponseObject } from '../schema';
import { breaks, type BreakingChange } from './breaking-change';
import { requestBreaks } from './request-schema';
import { responseBreaks } from './response-schema';

/** Compares one operation, including the parameters of its path. */
export function operationBreaks(
  released: OperationObject,
  current: OperationObject,
): BreakingChange[] {
  const { operationId: where } = released;
  return [
    ...(where === current.operationId ? [] : [breaks('operation-renamed', where)]),
    ...parameterBreaks(released.parameters ?? [], current.parameters ?? [], where),
    ...bodyBreaks(released.requestBody, current.requestBody, where),
    ...responsesBreaks(released.responses, current.responses, where),
  ];
}

/** Compares responses by status. A new error status is no break; a new success status is. */
export function responsesBreaks(
  released: Record<string, ResponseObject>,
  current: Record<string, ResponseObject>,
  where: string,
): BreakingChange[] {
  const newSuccesses = Object.keys(current).filter(
    (status) => /^2/.test(status) && !released[status],
  );
  return [
    ...newSuccesses.map((status) => breaks('response-status-changed', `${where} ${status}`)),
    ...Object.entries(released).flatMap(([status, response]) => {
      const now = current[status];
      return now
        ? responseObjectBreaks(response, now, `${where} ${status}`)
        : [breaks('response-removed', `${where} ${status}`)];
    }),
  ];
}

function responseObjectBreaks(
  released: ResponseObject,
  current: ResponseObject,
  where: string,
): BreakingChange[] {
  const gainsBody = !released.content && current.content;
  return [
    ...(gainsBody ? [breaks('response-type-widened', where)] : []),
    ...headerBreaks(released, current, where),
    ...Object.entries(released.content ?? {}).flatMap(([type, { schema }]) => {
      const now = current.content?.[type];
      return now
        ? responseBreaks(schema, now.schema, `${where} body`)
        : [breaks('response-media-type-removed', `${where} ${type}`)];
    }),
  ];
}

function headerBreaks(
  released: ResponseObject,
  current: ResponseObject,
  where: string,
): BreakingChange[] {
  return Object.entries(released.headers ?? {}).flatMap(([name, header]) => {
    const now = current.headers?.[name];
    if (!now || (header.required && !now.required)) {
      return [breaks('response-header-lost', `${where} ${name}`)];
    }
    return responseBreaks(header.schema, now.schema, `${where} ${name}`);
  });
}

function parameterBreaks(
  released: ParameterObject[],
  current: ParameterObject[],
  where: string,
): BreakingChange[] {
  const named = (parameters: ParameterObject[]) =>
    new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const [before, now] = [named(released), named(current)];
  const newlyRequired = [...now].filter(
    ([name, { required }]) => required && !before.get(name)?.required,
  );
  return [
    ...newlyRequired.map(([name]) => breaks('parameter-required', `${where} ${name}`)),
    ...[...before].flatMap(([name, parameter]) => {
      const at = `${where} ${name}`;
      const remaining = now.get(name);
      if (!remaining) return [breaks('parameter-removed', at)];
      return [
        ...(isDeepStrictEqual(styleOf(parameter), styleOf(remaining))
          ? []
          : [breaks('parameter-style-changed', at)]),
        ...requestBreaks(parameter.schema, remaining.schema, at),
      ];
    }),
  ];
}

function styleOf({ style, explode, allowReserved }: ParameterObject): unknown[] {
  return [style, explode, allowReserved];
}

type Body = OperationObject['requestBody'];

function bodyBreaks(released: Body, current: Body, where: string): BreakingChange[] {
  const at = `${where} request`;
  if (!current) return released ? [breaks('request-body-removed', at)] : [];
  const newlyRequired = current.required && !released?.required;
  return [
    ...(newlyRequired ? [breaks('request-body-required', at)] : []),
    ...mediaTypeBreaks(released?.content ?? {}, current.content, at),
  ];
}

function mediaTypeBreaks(
  released: MediaTypes,
  current: MediaTypes,
  where: string,
): BreakingChange[] {
  return Object.entries(released).flatMap(([type, { schema }]) =>
    current[type]
      ? requestBreaks(schema, current[type].schema, `${where} body`)
      : [breaks('request-media-type-removed', `${where} ${type}`)],
  );
}
