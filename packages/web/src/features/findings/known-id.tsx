import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/errors';
import { text } from '../../text/en';
import { doubtsOf, verdictOf } from '../search/answer';
import { WhyUnknown } from '../search/why-unknown';
import { affectedBy } from './findings-queries';
import { servicesAmong } from './services-among';

/** Of an id that the list has nothing for: whether nobody has it, or nobody knows. */
export function KnownId({ id }: { id: string }) {
  const { data, error } = useQuery({ ...affectedBy(id), retry: false });
  if (error instanceof ApiError && error.status === 404) {
    return (
      <p>
        {text.search.unknown(id)}. <WhyUnknown />
      </p>
    );
  }
  if (!data) return null;
  const verdict = verdictOf(data.total, doubtsOf(data));
  const { words, count } = servicesAmong(data);
  return (
    <p>
      {verdict === 'affected'
        ? text.findings.idElsewhere(words, count, id)
        : verdict === 'clear'
          ? text.findings.idKnown(id)
          : `${text.search.nobodyFound(id)}.`}{' '}
      {verdict !== 'affected' && `${text.search.onlyChecked} `}
      <Link to="/search" search={{ q: id }}>
        {text.search.title}
      </Link>
    </p>
  );
}
