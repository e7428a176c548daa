import { alertThresholds } from '@bomtrail/messages';
import { sampleDigest } from './sample-digest';

const about = {
  project: { id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11', name: 'Web Shop' },
  at: '2026-03-03T08:06:00.000Z',
  link: 'https://bomtrail.example.org/',
};

test.each(alertThresholds)(
  'a sample of a rule for %s tells one vulnerability of that severity, which says that it is none',
  (threshold) => {
    const rule = {
      id: '0197c1e0-4d3c-7b2a-9f80-1b2c3d4e5f60',
      threshold,
      channel: 'slack',
      by_severity: true,
      kev: false,
      min_epss: null,
    } as const;
    const sample = sampleDigest({ rule, ...about });
    expect(sample).toMatchObject({ kind: 'test', rule, ...about });
    expect([sample.total, sample.counts]).toEqual([1, { [threshold]: 1 }]);
    expect(sample.top.map(({ severity }) => severity)).toEqual([threshold]);
    expect(sample.top[0]?.title).toBe('A sample: nothing was found');
  },
);
