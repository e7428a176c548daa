/** A problem of a value, without its location. */
export interface Fault {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

/** A violated rule of the product. */
export function valueError(error: string): Fault {
  return { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
}

/** A text that is not a URL. */
export function urlParsingFault(error: string): Fault {
  return { type: 'url_parsing', msg: `Input should be a valid URL, ${error}`, ctx: { error } };
}

/** A URL with a scheme other than these. */
export function urlSchemeFault(schemes: string[]): Fault {
  const expected = oneOfThese(schemes);
  return {
    type: 'url_scheme',
    msg: `URL scheme should be ${expected}`,
    ctx: { expected_schemes: expected },
  };
}

/** `'a', 'b' or 'c'`, for expected values in problems. */
export function oneOfThese(values: unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
