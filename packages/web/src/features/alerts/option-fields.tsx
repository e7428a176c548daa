import controls from '../../components/controls.module.css';
import { SelectField, TextField } from '../../components/fields';
import { text } from '../../text/en';
import type { Options } from './rule-options';

interface OptionFieldsProps {
  options: Options;
  onOptions: (options: Options) => void;
}

const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
const words = text.alerts.options;

/** To which services a rule is limited, when it sends, and whether it reminds. */
export function OptionFields({ options, onOptions }: OptionFieldsProps) {
  const set = (change: Partial<Options>) => onOptions({ ...options, ...change });
  const { quiet_from: from, quiet_to: to } = options;
  return (
    // The browser can only say what is wrong with a field that can be seen.
    <details onInvalidCapture={({ currentTarget }) => (currentTarget.open = true)}>
      <summary>{words.open}</summary>
      <TextField
        label={words.owner}
        maxLength={255}
        value={options.owner}
        onChange={(owner) => set({ owner })}
      />
      <TextField
        label={words.labels}
        value={options.labels}
        onChange={(labels) => set({ labels })}
      />
      <Checked
        label={words.reminders}
        checked={options.reminders}
        onChange={(reminders) => set({ reminders })}
      />
      {options.reminders && (
        <TextField
          type="number"
          min={1}
          max={90}
          label={words.reminderDays}
          value={options.reminder_days}
          onChange={(reminder_days) => set({ reminder_days })}
        />
      )}
      <SelectField
        label={words.digest}
        value={options.digest}
        choices={[
          ['' as const, words.atOnce],
          ['day' as const, words.daily],
          ['week' as const, words.weekly],
        ]}
        onChange={(digest) => set({ digest })}
      />
      {options.digest === 'week' && (
        <SelectField
          label={words.weekday}
          value={options.weekday}
          choices={weekdays.map((one) => [one, words.weekdays[one]] as const)}
          onChange={(weekday) => set({ weekday })}
        />
      )}
      {options.digest !== '' && (
        <>
          <TextField
            type="time"
            label={words.at}
            value={options.digest_at}
            onChange={(digest_at) => set({ digest_at })}
          />
          <TextField
            label={words.digestZone}
            value={options.digest_zone}
            onChange={(digest_zone) => set({ digest_zone })}
          />
        </>
      )}
      <TextField
        type="time"
        label={words.quietFrom}
        required={to !== ''}
        value={from}
        onChange={(quiet_from) => set({ quiet_from })}
      />
      <TextField
        type="time"
        label={words.quietTo}
        required={from !== ''}
        value={to}
        onChange={(quiet_to) => set({ quiet_to })}
      />
      <Checked
        label={words.weekends}
        checked={options.weekends}
        onChange={(weekends) => set({ weekends })}
      />
      {(from !== '' || to !== '' || options.weekends) && (
        <TextField
          label={words.quietZone}
          value={options.quiet_zone}
          onChange={(quiet_zone) => set({ quiet_zone })}
        />
      )}
    </details>
  );
}

function Checked({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={controls.checked}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
