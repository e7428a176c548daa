import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import controls from '../../components/controls.module.css';
import { SelectField, TextField } from '../../components/fields';
import { formatShare } from '../../components/format';
import { text } from '../../text/en';
import { ecosystems, type Ecosystem } from './ecosystems';
import type { FilterPart } from './filter-part';
import { triageStates, type TriageState } from './findings-search';
import styles from './findings.module.css';
import { useWritten } from './use-written';

const shares = ['0.01', '0.1', '0.5', '0.9'];
const { further } = text.findings;

/** The filters that are needed less often, behind one button. */
export function MoreFilters(part: FilterPart) {
  const { search, onChange } = part;
  return (
    <DialogTrigger>
      <AriaButton className={styles.active}>
        {further.open} <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover placement="bottom start" className={styles.popover ?? ''}>
        <Dialog className={controls.form ?? ''} aria-label={further.open}>
          <Flag {...part} name="kev" />
          <Flag {...part} name="has_fix" />
          <Flag {...part} name="is_direct" />
          <Flag {...part} name="overdue" />
          <WrittenField
            type="date"
            label={further.detectedSince}
            applied={search.detected_since}
            onApply={(detected_since) => onChange({ detected_since })}
          />
          <SelectField
            label={further.decision}
            value={search.decision ?? ''}
            choices={[
              ['' as TriageState | '', further.any],
              ...triageStates.map((one) => [one, text.findings.triage[one]] as const),
            ]}
            onChange={(decision) => onChange({ decision: decision || undefined })}
          />
          <SelectField
            label={further.epss}
            value={search.min_epss ?? ''}
            choices={[
              ['', further.any],
              ...withChosen(shares, search.min_epss).map(
                (one) => [one, text.findings.active.minEpss(formatShare(Number(one)))] as const,
              ),
            ]}
            onChange={(min_epss) => onChange({ min_epss: min_epss || undefined })}
          />
          <SelectField
            label={further.ecosystem}
            value={search.ecosystem ?? ''}
            choices={[
              ['' as Ecosystem | '', further.any],
              ...ecosystems.map((one) => [one, one] as const),
            ]}
            onChange={(ecosystem) => onChange({ ecosystem: ecosystem || undefined })}
          />
          <Flag {...part} name="has_owner" />
          <Exact {...part} name="owner" />
          <Exact {...part} name="label" />
          <Exact {...part} name="package_name" />
          <Exact {...part} name="purl" />
          <Exact {...part} name="cve_id" />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** A share that came with the address is a choice, too. */
function withChosen(all: readonly string[], chosen: string | undefined): string[] {
  return [...new Set([...all, ...(chosen ? [chosen] : [])])].sort();
}

function Flag({ search, onChange, name }: FilterPart & { name: keyof typeof further.flags }) {
  const words = further.flags[name];
  return (
    <SelectField
      label={words.label}
      value={search[name] ?? ''}
      choices={[
        ['' as const, further.any],
        ['true' as const, words.yes],
        ['false' as const, words.no],
      ]}
      onChange={(value) => onChange({ [name]: value || undefined })}
    />
  );
}

interface WrittenFieldProps {
  label: string;
  type?: 'text' | 'date';
  applied: string | undefined;
  onApply: (value: string | undefined) => void;
}

/** A field that is applied when it is left, or with Enter. */
function WrittenField({ label, type = 'text', applied, onApply }: WrittenFieldProps) {
  const [written, setWritten] = useWritten(applied);
  const apply = () => {
    const value = written.trim() || undefined;
    if (value !== applied) onApply(value);
  };
  return (
    <TextField
      type={type}
      label={label}
      value={written}
      onChange={setWritten}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

/** A text that must match as a whole. */
function Exact({ search, onChange, name }: FilterPart & { name: keyof typeof further.exact }) {
  return (
    <WrittenField
      label={further.exact[name]}
      applied={search[name]}
      onApply={(value) => onChange({ [name]: value })}
    />
  );
}
