/** A finding of another tool: one vulnerability in one version of a package. */
export interface OtherFinding {
  /** As its tool names it. */
  id: string;
  /** Other ids of the same vulnerability, as far as the tool says. */
  aliases: string[];
  /** Full name in its ecosystem, where the tool has that. */
  name: string;
  /** `""` if the tool says none. */
  version: string;
  purl: string | null;
  /** The tool was told not to report it. */
  isSuppressed: boolean;
}

/** What another tool found. */
export interface OtherResult {
  tool: string;
  findings: OtherFinding[];
  /** Entries that name no vulnerability or no package. */
  unreadable: number;
}
