import { alertNews, type AlertNews } from './alert-news';

const kev = { date_added: '2026-01-01', due_date: null, ransomware: false };
const of = (epss_score: number | null, entry: typeof kev | null = null) => ({
  epss_score,
  kev: entry,
});

test.each<[name: string, values: (ReturnType<typeof of> | undefined)[], news: AlertNews]>([
  ['nothing changed', [of(0.5, kev), of(0.5, kev)], { kev: false, epss: false }],
  ['it is exploited', [of(0.5), of(0.5, kev)], { kev: true, epss: false }],
  ['it is not any more', [of(0.5, kev), of(0.4)], { kev: false, epss: false }],
  ['a later due date', [of(null, kev), of(null, { ...kev })], { kev: false, epss: false }],
  ['a first score', [of(null), of(0)], { kev: false, epss: true }],
  ['a higher score', [of(0.1), of(0.2)], { kev: false, epss: true }],
  ['new details', [undefined, of(0.2, kev)], { kev: true, epss: true }],
])('AL5 what alerts may report: %s', (_name, [before, after], news) => {
  const stored = new Map(before ? [['a', before]] : []);
  expect(alertNews(stored, new Map(after ? [['a', after]] : []))).toEqual(news);
});
