import controls from '../../components/controls.module.css';
import { SelectField } from '../../components/fields';
import { formatShare } from '../../components/format';
import { text } from '../../text/en';
import { thresholds } from './alerts-queries';
import type { Reasons } from './rule-config';

const shares = ['0.01', '0.1', '0.5', '0.9'];

interface RuleReasonsProps {
  reasons: Reasons;
  threshold: (typeof thresholds)[number];
  onReasons: (reasons: Reasons) => void;
  onThreshold: (threshold: (typeof thresholds)[number]) => void;
}

/** What a rule tells of: from a severity on, what is exploited, what probably will be. */
export function RuleReasons(props: RuleReasonsProps) {
  const { reasons, threshold, onReasons, onThreshold } = props;
  const { form } = text.alerts;
  return (
    <>
      <SelectField
        label={form.threshold}
        value={reasons.by_severity ? threshold : ''}
        choices={[
          ...thresholds.map((one) => [one, text.alerts.andWorse(text.severity[one])] as const),
          ['' as const, form.noSeverity],
        ]}
        onChange={(value) => {
          onReasons({ ...reasons, by_severity: value !== '' });
          if (value !== '') onThreshold(value);
        }}
      />
      <label className={controls.checked}>
        <input
          type="checkbox"
          checked={reasons.kev}
          onChange={({ target }) => onReasons({ ...reasons, kev: target.checked })}
        />
        {form.kev}
      </label>
      <SelectField
        label={form.epss}
        value={reasons.min_epss}
        choices={[
          ['', form.noEpss],
          ...[...new Set([...shares, ...(reasons.min_epss ? [reasons.min_epss] : [])])]
            .sort()
            .map((one) => [one, text.alerts.epss(formatShare(Number(one)))] as const),
        ]}
        onChange={(min_epss) => onReasons({ ...reasons, min_epss })}
      />
    </>
  );
}
