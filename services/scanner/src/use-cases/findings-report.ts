import { packJson } from '@bomtrail/service-kit';
import type { DescribedFinding } from './describe-components';

/** A `FindingsReport` in the making, as the texts that it consists of. */
export class Report {
  private readonly findings: string[] = [];
  private readonly details = new Map<string, string>();
  /** How long it is, about. */
  characters = 0;

  add({ finding, description }: DescribedFinding): void {
    const text = JSON.stringify(finding);
    this.findings.push(text);
    this.characters += text.length;
    if (this.details.has(description.key)) return;
    this.details.set(description.key, description.json);
    this.characters += description.json.length;
  }

  /** As `packJson` packs it. */
  pack(): Promise<Uint8Array> {
    const vulnerabilities = [...this.details].map(([key, json]) => `"${key}":${json}`);
    return packJson(
      `{"findings":[${this.findings.join()}],"vulnerabilities":{${vulnerabilities.join()}}}`,
    );
  }
}
