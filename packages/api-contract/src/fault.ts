/** What is wrong with a value, without the place where it stands. */
export interface Fault {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

/** A value that breaks a rule of ours. */
export function valueError(error: string): Fault {
  return { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
}

/** A text that cannot be read as a URL. */
export function urlParsingFault(error: string): Fault {
  return { type: 'url_parsing', msg: `Input should be a valid URL, ${error}`, ctx: { error } };
}

/** A URL with another scheme than one of these. */
export function urlSchemeFault(schemes: string[]): Fault {
  const expected = oneOfThese(schemes);
  return {
    type: 'url_scheme',
    msg: `URL scheme should be ${expected}`,
    ctx: { expected_schemes: expected },
  };
}

/** `'a', 'b' or 'c'`, as problems name the values that they expect. */
export function oneOfThese(values: unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
