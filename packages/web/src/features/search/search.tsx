import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button';
import { Page, PageHead } from '../../components/parts';
import { text } from '../../text/en';
import { LicenceAnswer } from './licence-answer';
import { PackageAnswer } from './package-answer';
import { questionOf } from './question';
import styles from './search.module.css';
import { VulnerabilityAnswer } from './vulnerability-answer';

/** “Am I affected?”: one box for a vulnerability, a package, a purl, a version, a licence. */
export function SearchView() {
  const { q } = useSearch({ from: '/search' });
  const navigate = useNavigate({ from: '/search' });
  const [written, setWritten] = useState(q ?? '');
  useEffect(() => setWritten(q ?? ''), [q]);
  return (
    <Page>
      <PageHead title={text.search.title} lead={text.search.lead} />
      <form
        role="search"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const asked = written.trim();
          void navigate({ search: asked ? { q: asked } : {} });
        }}
      >
        <input
          className={styles.box}
          type="search"
          autoFocus
          aria-label={text.search.box}
          placeholder={text.search.placeholder}
          value={written}
          onChange={({ target }) => setWritten(target.value)}
        />
        <Button kind="primary" type="submit">
          {text.search.submit}
        </Button>
      </form>
      {q ? <Answer q={q} /> : <Examples />}
    </Page>
  );
}

function Answer({ q }: { q: string }) {
  const question = questionOf(q);
  if (question.kind === 'vulnerability') return <VulnerabilityAnswer id={question.id} />;
  if (question.kind === 'licence' || question.kind === 'licence-group')
    return <LicenceAnswer question={question} />;
  return <PackageAnswer question={question} />;
}

function Examples() {
  return (
    <ul className={styles.examples}>
      {text.search.examples.map(([example, meaning]) => (
        <li key={example}>
          <code>{example}</code> <span>{meaning}</span>
        </li>
      ))}
    </ul>
  );
}
