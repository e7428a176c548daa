/** First segments of the page's addresses; the page decides what is below them. */
const views = [
  'findings',
  'plan',
  'projects',
  'sboms',
  'search',
  'alerts',
  'settings',
  'vex',
  'decisions',
  'imports',
];
const pageAddress = new RegExp(`^/(?:(?:${views.join('|')})(?:/.*)?)?$`);

/** Whether `path` is an address of the page, and not of the API. */
export function isPageAddress(path: string): boolean {
  return pageAddress.test(path);
}
