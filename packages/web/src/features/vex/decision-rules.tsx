import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { formatDay, formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Section, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { EditRule } from './edit-rule';
import { selects } from './rule-in-words';
import { decisionRules, decisionRulesKey } from './vex-queries';

type Rule = Schemas['DecisionRule'];

/** The standing rules of a project and what each decides; nothing without any. */
export function DecisionRules({ projectId }: { projectId: string }) {
  return (
    <Loaded query={useQuery(decisionRules(projectId))} lines={2}>
      {({ items }) =>
        items.length === 0 ? null : (
          <Section title={text.rules.title(items.length)}>
            <Rows rows={items} projectId={projectId} />
          </Section>
        )
      }
    </Loaded>
  );
}

function Rows({ rows, projectId }: { rows: readonly Rule[]; projectId: string }) {
  const queries = useQueryClient();
  const mayManage = useMay('manage', projectId);
  const [editing, setEditing] = useState<Rule | null>(null);
  const remove = useMutation({
    mutationFn: (rule_id: string) =>
      bodyOf(api.DELETE('/api/v1/decision-rules/{rule_id}', { params: { path: { rule_id } } })),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: decisionRulesKey }),
        queries.invalidateQueries({ queryKey: vulnerabilitiesKey }),
      ]),
  });
  return (
    <>
      {remove.error && <ErrorNote error={remove.error} />}
      <Table
        label={text.rules.label}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            name: text.rules.columns.name,
            cell: ({ name, reason }) => (
              <>
                <b>{name}</b> {reason}
              </>
            ),
          },
          { name: text.rules.columns.selects, cell: selects },
          {
            name: text.rules.columns.decision,
            cell: ({ decision }) => text.accept.kinds[decision],
          },
          {
            name: text.rules.columns.decides,
            align: 'right',
            cell: ({ decided }) => formatNumber(decided),
          },
          {
            name: text.rules.columns.until,
            secondary: true,
            cell: ({ status, expires_at }) =>
              status === 'expired' ? (
                <Tag>{text.rules.expired}</Tag>
              ) : expires_at === null ? (
                '–'
              ) : (
                formatDay(expires_at)
              ),
          },
          ...(mayManage
            ? [
                {
                  name: text.rules.columns.end,
                  cell: (rule: Rule) => (
                    <>
                      {rule.status !== 'expired' && (
                        <Button
                          kind="quiet"
                          aria-label={text.rules.changeOf(rule.name)}
                          onClick={() => setEditing(rule)}
                        >
                          {text.rules.change}
                        </Button>
                      )}
                      <Button
                        kind="quiet"
                        aria-label={text.rules.endOf(rule.name)}
                        onClick={() => remove.mutate(rule.id)}
                      >
                        {text.rules.end}
                      </Button>
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
      {editing && <EditRule rule={editing} onClose={() => setEditing(null)} />}
    </>
  );
}
