import type { Digest } from '../../domain/digest';
import { withoutAutolinks } from './free-text';
import { moreThan, wordingOf, type ItemWording } from './wording';

/** A message as plain text: the text part of a mail, and every channel's preview. */
export function plainText(digest: Digest): string {
  const words = wordingOf(digest);
  const more = moreThan(words.items.length, digest.total);
  return [
    withoutAutolinks(words.headline),
    ...(words.counts === '' ? [] : [words.counts]),
    ...words.items.flatMap((item) => ['', ...itemLines(item)]),
    ...(more === undefined ? [] : ['', more]),
    ...(words.reminders.length === 0 ? [] : ['', ...words.reminders.map(withoutAutolinks)]),
    ...(words.link === null ? [] : ['', `All of them: ${words.link}`]),
    '',
    words.why,
  ].join('\n');
}

function itemLines(item: ItemWording): string[] {
  const title = item.title === '' ? [] : [`  ${item.title}`];
  return [
    `${item.severity}  ${item.id}`,
    ...title,
    ...(item.risk === '' ? [] : [`  ${item.risk}`]),
    `  ${item.package}: ${item.fix}`,
    `  service ${item.service}`,
  ].map(withoutAutolinks);
}
