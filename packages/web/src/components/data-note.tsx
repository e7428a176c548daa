import { Link } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { text } from '../text/en';
import { Tag } from './parts';

/** On which advisories an answer is based; an answer without any is no answer. */
export function DataNote({ data }: { data: Schemas['AdvisoryData'] }) {
  if (data === 'feed') return null;
  return (
    <Link to="/settings/$section" params={{ section: 'feeds' }} title={text.data.why[data]}>
      <Tag kind="warn">{text.data[data]}</Tag>
    </Link>
  );
}
