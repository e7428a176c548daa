import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { FormDialog } from '../../components/form-dialog';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { changedBody, contentOf } from './rule-content';
import { RuleFields } from './rule-fields';
import { decisionRulesKey } from './vex-queries';

interface EditRuleProps {
  rule: Schemas['DecisionRule'];
  onClose: () => void;
}

/** Changes what a standing rule decides, and until when; another filter is another rule. */
export function EditRule({ rule, onClose }: EditRuleProps) {
  const queries = useQueryClient();
  const [before] = useState(() => contentOf(rule));
  const [content, setContent] = useState(before);
  const saving = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PATCH('/api/v1/decision-rules/{rule_id}', {
          params: { path: { rule_id: rule.id } },
          body: changedBody(before, content),
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: decisionRulesKey });
      await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.rules.editTitle(rule.name)}
      submit={text.rules.save}
      sending={saving}
      onClose={onClose}
    >
      <p>{text.rules.filterStays}</p>
      <RuleFields value={content} error={saving.error} onChange={setContent} />
    </FormDialog>
  );
}
