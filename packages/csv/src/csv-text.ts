/** A value of a cell; null and undefined are empty, several texts are joined by a space. */
export type CsvValue = string | number | boolean | null | undefined | readonly string[];

/** A column: its name, and its value of an item. */
export type CsvColumn<Item> = readonly [name: string, valueOf: (item: Item) => CsvValue];

/** What a spreadsheet takes for the beginning of a formula. Source: OWASP, "CSV Injection". */
const formula = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const special = /[",\r\n]/;
/** Control characters, which no cell may hold (RFC 4180, section 2: TEXTDATA); terminals obey them. */
const control = /(?![\t\r\n])\p{Cc}/gu;

/** Lines of a CSV file (RFC 4180), each with its line break. */
export function csvLines(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/**
 * One cell, without control characters. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front, which spreadsheets do not show.
 */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = (typeof value === 'string' ? value : value.join(' ')).replaceAll(control, '');
  const harmless = formula.test(text) ? `'${text}` : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
