import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import controls from './controls.module.css';
import { DownloadButton } from './download-button';

interface DownloadMenuProps {
  label: string;
  note: string;
  /** What each file is called, and how it is saved. */
  files: readonly (readonly [string, () => Promise<void>])[];
}

/** Several files behind one button. */
export function DownloadMenu({ label, note, files }: DownloadMenuProps) {
  return (
    <DialogTrigger>
      <AriaButton className={controls.button ?? ''}>
        {label} <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover placement="bottom end" className={controls.popover ?? ''}>
        <Dialog className={controls.form ?? ''} aria-label={label}>
          <p className={controls.hint}>{note}</p>
          {files.map(([name, save]) => (
            <DownloadButton key={name} save={save}>
              {name}
            </DownloadButton>
          ))}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
