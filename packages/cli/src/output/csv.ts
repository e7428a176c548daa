/** Characters with which a spreadsheet begins a formula. */
const formulaStart = /^[=+\-@\t\r]/;

/**
 * Formats rows as CSV (RFC 4180). Text that a spreadsheet would take for a formula gets a leading apostrophe.
 */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
