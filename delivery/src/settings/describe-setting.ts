import type { SettingsSchema } from './schemas';

/** A setting as people read of it. Texts are Markdown. */
export interface DescribedSetting {
  readonly name: string;
  /** What its value may be; empty: any text. */
  readonly form: string;
  /** `required`, or ``default `5` ``; empty: no value holds when none is given. */
  readonly byDefault: string;
  readonly text: string;
}

/** Settings whose schema does not say what they are for. */
export class UndescribedSettings extends Error {
  constructor(readonly names: readonly string[]) {
    super(`.describe() is missing: ${names.join(', ')}`);
  }
}

/** All settings of a schema, in its order. @throws UndescribedSettings */
export function describeSettings(schema: SettingsSchema): DescribedSetting[] {
  const fields = Object.entries(schema.shape) as [string, Field][];
  const bare = fields.filter(([, field]) => !field.description).map(([name]) => name);
  if (bare.length > 0) throw new UndescribedSettings(bare);
  return fields.map(([name, field]) => ({
    name,
    form: formOf(field),
    byDefault: defaultOf(field),
    text: asText(field.description ?? ''),
  }));
}

/** What is read of a setting's own schema. */
type Field = SettingsSchema;

/** No setting takes it, unless it takes any text. */
const nonsense = '\u2603';

function formOf(field: Field): string {
  const { type, enum: words, minimum, maximum } = inputOf(field);
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'integer') {
    return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? `${minimum} or more`
      : `${minimum} to ${maximum}`;
  }
  const answer = field.safeParse(nonsense);
  // What follows a semicolon speaks of the value that was given.
  const [complaint = ''] = answer.error?.issues[0]?.message.split(';') ?? [];
  return asText(complaint.replace(/^must be /, ''));
}

function defaultOf(field: Field): string {
  if (!field.safeParse(undefined).success) return 'required';
  const value = inputOf(field).default;
  return value === undefined || value === '' ? '' : `default \`${String(value)}\``;
}

/** What stands in angle brackets would be taken for HTML. */
function asText(said: string): string {
  return said.replaceAll('<', '\\<');
}

/** The part of JSON Schema that is read here, of what the environment may give. */
interface Input {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  default?: string | number;
}

function inputOf(field: Field): Input {
  return field.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Input;
}
