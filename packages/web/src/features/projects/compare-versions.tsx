import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Button } from '../../components/button';
import { Field } from '../../components/field';
import { Section } from '../../components/parts';
import { text } from '../../text/en';
import styles from './projects.module.css';
import type { VersionChange } from './version-changes';

/** Two versions to compare: by default the last one and the one before. */
export function CompareVersions({ changes }: { changes: readonly VersionChange[] }) {
  const navigate = useNavigate();
  const [from, setFrom] = useState(changes.at(-2)?.sbomId ?? '');
  const [to, setTo] = useState(changes.at(-1)?.sbomId ?? '');
  if (changes.length < 2) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/sboms/$sbomId/diff/$otherId', params: { sbomId: from, otherId: to } });
  };
  const choices = [
    [text.projects.compareFrom, from, setFrom],
    [text.projects.compareTo, to, setTo],
  ] as const;
  return (
    <Section title={text.projects.compare}>
      <form className={styles.compare} onSubmit={submit}>
        {choices.map(([label, value, change]) => (
          <Field key={label} label={label}>
            {(props) => (
              <select {...props} value={value} onChange={({ target }) => change(target.value)}>
                {changes.map(({ sbomId, version }) => (
                  <option key={sbomId} value={sbomId}>
                    {version ?? sbomId.slice(-8)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
        <Button type="submit" disabled={from === to}>
          {text.projects.compareShow}
        </Button>
      </form>
    </Section>
  );
}
