import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { problemOf } from '../../api/errors';
import { SelectField, TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { text } from '../../text/en';
import { ProjectField } from '../projects/project-field';
import { refuseIfChanged } from '../projects/refuse-if-changed';
import { alertsKey, channels, type Rule } from './alerts-queries';
import { changesOf, configOf, hasReason, keepsReceiver, ofConfig, reasonsOf } from './rule-config';
import { OptionFields } from './option-fields';
import { optionsOf } from './rule-options';
import { RuleReasons } from './rule-reasons';
import { storedRule } from './stored-rule';

interface RuleFormProps {
  /** The rule to change; omitted: a new one. */
  rule?: Rule;
  onClose: () => void;
}

/**
 * Creates or changes a rule. The receiver of a rule is in no response: left empty, a change keeps
 * it, and a new rule uses that of the installation.
 */
export function RuleForm({ rule: given, onClose }: RuleFormProps) {
  // As it was when the form was opened: the list around it is read again meanwhile.
  const [rule] = useState(given);
  const { form } = text.alerts;
  const queries = useQueryClient();
  const [project, setProject] = useState(rule?.project_id ?? '');
  const [threshold, setThreshold] = useState(rule?.severity_threshold ?? 'high');
  const [channel, setChannel] = useState(rule?.notification_type ?? 'email');
  const [receiver, setReceiver] = useState('');
  const [secret, setSecret] = useState('');
  const [reasons, setReasons] = useState(reasonsOf(rule));
  const [options, setOptions] = useState(() => optionsOf(rule, localZone()));
  const saving = useMutation({
    mutationFn: async () => {
      const config = configOf(rule, { channel, receiver, secret, reasons, options });
      const body = {
        project_id: project,
        severity_threshold: threshold,
        notification_type: channel,
      };
      if (!rule) {
        const created = { ...body, config: config ?? {}, enabled: true };
        await bodyOf(api.POST('/api/v1/alert-rules', { body: created }));
        return;
      }
      // It replaces the stored one as a whole.
      if (config) refuseIfChanged(rule, await storedRule(rule), ofConfig);
      const params = { path: { alert_id: rule.id } };
      const changed = changesOf(rule, { ...body, config });
      await bodyOf(api.PATCH('/api/v1/alert-rules/{alert_id}', { params, body: changed }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: alertsKey });
      onClose();
    },
  });
  const keeps = keepsReceiver(rule, { channel, reasons, options });
  const ofRule = keeps ? form.receiverKept : form.receiverReplaced;
  const receiverHint = rule ? ofRule : form.receiverDefault;
  return (
    <FormDialog
      title={rule ? form.change : form.create}
      submit={rule ? form.save : form.create}
      sending={saving}
      explained={false}
      onClose={onClose}
      disabled={project === '' || (!hasReason(reasons) && !options.reminders)}
    >
      <ProjectField
        label={form.project}
        value={project}
        empty={form.chooseProject}
        problem={problemOf(saving.error, 'project_id')}
        onChange={setProject}
      />
      <RuleReasons
        reasons={reasons}
        threshold={threshold}
        onReasons={setReasons}
        onThreshold={setThreshold}
      />
      <SelectField
        label={form.channel}
        value={channel}
        choices={channels.map((one) => [one, text.alerts.channels[one]] as const)}
        onChange={setChannel}
      />
      <TextField
        label={labelOfReceiver(channel)}
        hint={receiverHint}
        problem={problemOfReceiver(saving.error)}
        required={channel === 'webhook' && secret.trim() !== ''}
        value={receiver}
        onChange={setReceiver}
      />
      <OptionFields options={options} onOptions={setOptions} />
      {channel === 'webhook' && (
        <TextField
          label={form.secret}
          hint={form.secretHint}
          problem={problemOf(saving.error, 'config.webhook_secret')}
          value={secret}
          onChange={setSecret}
        />
      )}
    </FormDialog>
  );
}

function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function labelOfReceiver(channel: Rule['notification_type']): string {
  const { form } = text.alerts;
  if (channel === 'email') return form.recipients;
  return channel === 'pagerduty' ? form.routingKey : form.webhook;
}

function problemOfReceiver(error: unknown): string | undefined {
  const places = ['config.webhook_url', 'config.routing_key', 'config.recipients'];
  const ofOne = Array.from({ length: 20 }, (_, at) => `config.recipients.${at}`);
  return [...places, ...ofOne].map((place) => problemOf(error, place)).find(Boolean);
}
