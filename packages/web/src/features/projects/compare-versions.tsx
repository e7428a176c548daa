import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Button } from '../../components/button';
import { SelectField } from '../../components/fields';
import { Section } from '../../components/parts';
import { text } from '../../text/en';
import styles from './projects.module.css';
import type { Version } from './service-queries';

/** Two versions to compare: by default the newest and the one before. */
export function CompareVersions({ versions }: { versions: readonly Version[] }) {
  const navigate = useNavigate();
  const [from, setFrom] = useState(versions[1]?.id ?? '');
  const [to, setTo] = useState(versions[0]?.id ?? '');
  if (versions.length < 2) return null;
  const choices = versions.map(({ id, version }) => [id, version ?? id.slice(-8)] as const);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/sboms/$sbomId/diff/$otherId', params: { sbomId: from, otherId: to } });
  };
  return (
    <Section title={text.projects.compare}>
      <form className={styles.compare} onSubmit={submit}>
        <SelectField
          label={text.projects.compareFrom}
          value={from}
          choices={choices}
          onChange={setFrom}
        />
        <SelectField
          label={text.projects.compareTo}
          value={to}
          choices={choices}
          onChange={setTo}
        />
        <Button type="submit" disabled={from === to}>
          {text.projects.compareShow}
        </Button>
      </form>
    </Section>
  );
}
