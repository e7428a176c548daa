/** What Discord makes something of at the beginning of a text or line. */
const atLineStart = [/^#{1,3} \S/, /^-# \S/, /^ *[-*] \S/, /^ *\d+\. \S/, /^>{1}(>>)? \S/];
/** And anywhere. */
const anywhere = [
  /^\[[^\]]*\]\([^)]*\)/,
  /^<?https?:\/\/\S+/i,
  /^<(?:@[!&]?|#|a?:\w+:|t:|\/[^>]*:|id:)[^>\s]*>/,
  /^@(?:everyone|here)/,
  /^:\w+:/,
  /^(\*\*|__|~~|\|\||[*_`])/,
];

/**
 * What of a text Discord's clients would make formatting, links, mentions, emojis or times of: a backslash before
 * punctuation makes that a plain sign. More is found than really works, never less: half a pair counts.
 */
export function discordMarkup(text: string): string[] {
  return text.split('\n').flatMap(ofService);
}

function ofService(service: string): string[] {
  const found = atLineStart.flatMap((pattern) => pattern.exec(service)?.[0] ?? []);
  let at = 0;
  while (at < service.length) {
    const rest = service.slice(at);
    if (/^\\[^0-9A-Za-z\s]/.test(rest)) {
      at += 2;
      continue;
    }
    const match = anywhere.map((pattern) => pattern.exec(rest)?.[0]).find(Boolean);
    if (match !== undefined) found.push(match);
    at += Math.max(1, match?.length ?? 1);
  }
  return found;
}
