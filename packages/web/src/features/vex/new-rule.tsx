import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { FormDialog } from '../../components/form-dialog';
import { formatNumber } from '../../components/format';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { filtersInWords } from '../findings/active-filters';
import { countOf, findingsWindow, vulnerabilitiesKey } from '../findings/findings-queries';
import type { FindingsSearch } from '../findings/findings-search';
import { missingOf } from '../findings/windowed';
import { contentBody, newContent } from './rule-content';
import { RuleFields } from './rule-fields';
import { previewOf, ruleFilterOf } from './rule-filter';
import styles from './vex.module.css';
import { decisionRulesKey } from './vex-queries';

interface NewRuleProps {
  projectId: string;
  /** The view whose filter becomes that of the rule. */
  search: FindingsSearch;
  onClose: () => void;
}

/** Makes a standing rule of the filter of a view, and shows what it would decide now. */
export function NewRule({ projectId, search, onClose }: NewRuleProps) {
  const queries = useQueryClient();
  const [content, setContent] = useState(newContent);
  const { filter, left } = ruleFilterOf(search);
  const creating = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/v1/projects/{project_id}/decision-rules', {
          params: { path: { project_id: projectId } },
          body: { ...contentBody(content), filter },
        }),
      ),
    onSuccess: async ({ name, decided }) => {
      await queries.invalidateQueries({ queryKey: decisionRulesKey });
      await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
      notify(text.rules.created(name, formatNumber(decided), decided));
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.rules.newTitle}
      submit={text.rules.create}
      sending={creating}
      disabled={left.length > 0}
      onClose={onClose}
    >
      {left.length > 0 ? (
        <p role="alert" className={styles.refused}>
          {text.rules.impossible(left.map((name) => text.rules.filters[name]))}
        </p>
      ) : (
        <Preview search={search} />
      )}
      <RuleFields value={content} error={creating.error} onChange={setContent} />
    </FormDialog>
  );
}

/** Rows that the preview names. */
const mostNamed = 3;

/** What is open, undecided and selected now: how many, and the first of them. */
function Preview({ search }: { search: FindingsSearch }) {
  const preview = previewOf(search);
  const first = useQuery(findingsWindow(preview, 1));
  const count = useQuery(countOf(preview));
  const { data } = first;
  const { data: counted } = count;
  const { error, retry } = missingOf([first, count]);
  const words = filtersInWords({ ...preview, decision: undefined }).map(([, said]) => said);
  const selected = [search.severity?.replaceAll(',', ', '), ...words].filter(Boolean).join(' · ');
  return (
    <div className={styles.preview} aria-live="polite">
      <span>{text.rules.selected(selected || text.rules.everything)}</span>
      {error ? <ErrorNote error={error} onRetry={retry} /> : null}
      {data && counted && (
        <>
          <Link to="/findings" search={preview}>
            <b>{text.rules.wouldDecide(formatNumber(counted.total), counted.total)}</b>
          </Link>
          <ul>
            {data.items.slice(0, mostNamed).map((one) => (
              <li key={one.id}>
                {one.cve_id} · {one.package_name} {one.package_version} ·{' '}
                {one.service_name ?? text.common.projectLevel}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
