import { packJson } from '@bomtrail/messaging';
import type { DescribedFinding } from './describe-components';

/** Builds a `FindingsReport` from JSON fragments. */
export class Report {
  private readonly findings: string[] = [];
  private readonly details = new Map<string, string>();
  /** Approximate length. */
  characters = 0;

  add({ finding, description }: DescribedFinding): void {
    const text = JSON.stringify(finding);
    this.findings.push(text);
    this.characters += text.length;
    if (this.details.has(description.key)) return;
    this.details.set(description.key, description.json);
    this.characters += description.json.length;
  }

  /** The report as JSON, without line breaks. */
  text(): string {
    const vulnerabilities = [...this.details].map(([key, json]) => `"${key}":${json}`);
    return `{"findings":[${this.findings.join()}],"vulnerabilities":{${vulnerabilities.join()}}}`;
  }

  /** Packs the report with `packJson`. */
  pack(): Promise<Uint8Array> {
    return packJson(this.text());
  }
}
