import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import { ApiError } from '../../api/errors';
import { Button } from '../../components/button';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';
import { labelsOf } from './labels-of';
import { projectsKey } from './projects-queries';
import { refuseIfChanged } from './refuse-if-changed';
import styles from './projects.module.css';

/** Who is responsible, and labels; what an older server leaves out is none. */
export interface Owned {
  owner?: string | null | undefined;
  labels?: readonly string[] | undefined;
}

interface OwnershipProps {
  /** Of what, in the title of the dialog. */
  name: string;
  /** The project, or that of the service. */
  projectId: string;
  own: Owned;
  /** Of the project of a service: what applies to it, too. */
  inherited?: Owned;
  /** What is stored now. */
  read: () => Promise<Owned>;
  save: (changes: { owner?: string | null; labels?: string[] }) => Promise<unknown>;
}

const { ownership } = text.projects;

/** Who is responsible for a project or service, and its labels; each leads to the findings with it. */
export function Ownership({ name, projectId, own, inherited, read, save }: OwnershipProps) {
  const mayWrite = useMay('manage', projectId);
  const [editing, setEditing] = useState(false);
  const owner = own.owner ?? inherited?.owner;
  const labels = [...new Set([...(own.labels ?? []), ...(inherited?.labels ?? [])])];
  return (
    <p className={styles.ownership}>
      {owner ? (
        <span>
          {own.owner ? ownership.ownedBy : ownership.ownedByProject}{' '}
          <Link to="/findings" search={{ owner }}>
            {owner}
          </Link>
        </span>
      ) : (
        <span className={styles.faint}>{ownership.nobody}</span>
      )}
      {labels.map((label) => (
        <Link key={label} to="/findings" search={{ label }}>
          <Tag>{label}</Tag>
        </Link>
      ))}
      {mayWrite && <Button onClick={() => setEditing(true)}>{ownership.edit}</Button>}
      {editing && (
        <EditOwnership
          name={name}
          own={own}
          read={read}
          save={save}
          onClose={() => setEditing(false)}
        />
      )}
    </p>
  );
}

function EditOwnership({
  name,
  own: given,
  read,
  save,
  onClose,
}: Omit<OwnershipProps, 'projectId' | 'inherited'> & { onClose: () => void }) {
  const queries = useQueryClient();
  const [own] = useState(given);
  const [before] = useState({ owner: own.owner ?? '', labels: (own.labels ?? []).join(', ') });
  const [owner, setOwner] = useState(before.owner);
  const [labels, setLabels] = useState(before.labels);
  const saving = useMutation({
    // What was not touched here may have been changed elsewhere.
    mutationFn: async () => {
      // Labels are replaced as a whole.
      if (labels !== before.labels) refuseIfChanged(own, await read(), ['labels']);
      await save({
        ...(owner === before.owner ? {} : { owner: owner.trim() || null }),
        ...(labels === before.labels ? {} : { labels: labelsOf(labels) }),
      });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: projectsKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={ownership.title(name)}
      submit={ownership.save}
      sending={saving}
      onClose={onClose}
    >
      <TextField
        label={ownership.owner}
        hint={ownership.ownerHint}
        autoFocus
        maxLength={255}
        value={owner}
        problem={problemWith(saving.error, 'owner')}
        onChange={setOwner}
      />
      <TextField
        label={ownership.labels}
        hint={ownership.labelsHint}
        value={labels}
        problem={problemWith(saving.error, 'labels')}
        onChange={setLabels}
      />
    </FormDialog>
  );
}

/** What is wrong with a field, or with one of its items. */
function problemWith(error: unknown, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
}
