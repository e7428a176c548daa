import { problemOf } from '../../api/errors';
import { TextField } from '../../components/fields';
import { text } from '../../text/en';
import styles from './upload.module.css';

export interface Naming {
  serviceName: string;
  version: string;
}

interface UploadFieldsProps {
  value: Naming;
  error: unknown;
  onChange: (value: Naming) => void;
}

/** Of which service and version the document is. */
export function UploadFields({ value, error, onChange }: UploadFieldsProps) {
  return (
    <div className={styles.form}>
      <TextField
        label={text.upload.service}
        hint={text.upload.serviceHint}
        problem={problemOf(error, 'service_name')}
        value={value.serviceName}
        onChange={(serviceName) => onChange({ ...value, serviceName })}
      />
      <TextField
        label={text.upload.version}
        hint={text.upload.versionHint}
        problem={problemOf(error, 'version')}
        value={value.version}
        onChange={(version) => onChange({ ...value, version })}
      />
    </div>
  );
}
