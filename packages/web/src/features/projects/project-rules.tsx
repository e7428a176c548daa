import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { problemOf } from '../../api/errors';
import controls from '../../components/controls.module.css';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { severities, type Severity } from '../../components/severity-order';
import { text } from '../../text/en';
import { projectsKey } from './projects-queries';
import { refuseIfChanged } from './refuse-if-changed';

interface ProjectRulesProps {
  project: Schemas['ProjectResponse'];
  onClose: () => void;
}

/** How soon the findings of a project are to be fixed, and how many of its SBOMs are kept. */
export function ProjectRules({ project: given, onClose }: ProjectRulesProps) {
  // As it was when the form was opened: the view around it reads it again meanwhile.
  const [project] = useState(given);
  const queries = useQueryClient();
  const [daysBefore] = useState<Partial<Record<Severity, string>>>(() =>
    Object.fromEntries(
      severities.map((one) => [one, written(project.service_levels?.[one])] as const),
    ),
  );
  const [days, setDays] = useState(daysBefore);
  const [last, setLast] = useState(written(project.retention?.keep_last));
  const [keepDays, setKeepDays] = useState(written(project.retention?.keep_days));
  const isTouched =
    last !== written(project.retention?.keep_last) ||
    keepDays !== written(project.retention?.keep_days);
  const isOwn = !isTouched && project.retention;
  const without = isOwn ? text.projects.rules.keepsAll : text.projects.rules.asInstalled;
  const unset = last === '' && keepDays === '' ? without : text.projects.rules.noBound;
  const saving = useMutation({
    mutationFn: async () => {
      const params = { path: { project_id: project.id } };
      const body = {
        // What was not touched here may have been changed elsewhere.
        ...(days === daysBefore ? {} : { service_levels: levelsOf(days) }),
        // Untouched, it stays: “keep all” looks like the default here.
        ...(isTouched ? { retention: retentionOf(last, keepDays) } : {}),
      };
      // Each of them is replaced as a whole.
      const stored = await bodyOf(api.GET('/api/v1/projects/{project_id}', { params }));
      refuseIfChanged(project, stored, Object.keys(body) as (keyof typeof body)[]);
      await bodyOf(api.PATCH('/api/v1/projects/{project_id}', { params, body }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: projectsKey });
      onClose();
    },
  });
  const { rules } = text.projects;
  const number = { type: 'number', min: 1, step: 1 } as const;
  return (
    <FormDialog
      title={rules.title(project.name)}
      submit={rules.save}
      sending={saving}
      onClose={onClose}
    >
      <fieldset className={controls.group}>
        <legend>{rules.levels}</legend>
        {(['critical', 'high', 'medium', 'low'] as const).map((one) => (
          <TextField
            key={one}
            {...number}
            label={text.severity[one]}
            max={3650}
            placeholder={rules.noLimit}
            value={days[one] ?? ''}
            problem={problemOf(saving.error, `service_levels.${one}`)}
            onChange={(value) => setDays({ ...days, [one]: value })}
          />
        ))}
      </fieldset>
      <fieldset className={controls.group}>
        <legend>{rules.retention}</legend>
        <TextField
          {...number}
          label={rules.keepLast}
          placeholder={unset}
          value={last}
          problem={problemOf(saving.error, 'retention.keep_last')}
          onChange={setLast}
        />
        <TextField
          {...number}
          label={rules.keepDays}
          placeholder={unset}
          value={keepDays}
          problem={problemOf(saving.error, 'retention.keep_days')}
          onChange={setKeepDays}
        />
      </fieldset>
      <p>{rules.why}</p>
    </FormDialog>
  );
}

function written(value: number | null | undefined): string {
  return typeof value === 'number' ? String(value) : '';
}

function numberOf(value: string | undefined): number | null {
  return value ? Number(value) : null;
}

function levelsOf(days: Partial<Record<Severity, string>>): Schemas['ServiceLevels'] {
  const levels = Object.fromEntries(severities.map((one) => [one, numberOf(days[one])] as const));
  return Object.values(levels).some((one) => one !== null) ? levels : null;
}

/** Both empty: the default of the installation. */
function retentionOf(last: string, days: string): Schemas['ProjectUpdate']['retention'] {
  if (last === '' && days === '') return null;
  return { keep_last: numberOf(last), keep_days: numberOf(days) };
}
