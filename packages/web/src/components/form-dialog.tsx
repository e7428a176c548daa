import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../api/errors';
import { text } from '../text/en';
import { Button } from './button';
import controls from './controls.module.css';
import { Dialog, DialogActions } from './dialog';
import { ErrorNote } from './error-note';
import { notify } from './toasts';

interface FormDialogProps {
  title: string;
  /** Label of the button that sends. */
  submit: string;
  danger?: boolean;
  sending: {
    mutate: () => void;
    isPending: boolean;
    error: unknown;
  };
  /** What is wrong stands beside its field already. */
  explained?: boolean;
  disabled?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: fields, what went wrong, cancel and send. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, danger = false, sending, onClose, children } = props;
  const { error, isPending } = sending;
  const explained = props.explained ?? (error instanceof ApiError && error.fields.length > 0);
  const send = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  // Nobody is left to be told how it ends.
  const close = () => {
    if (isPending) notify(text.errors.closedEarly);
    onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      <form onSubmit={send} className={controls.form}>
        {children}
        {error && !explained ? <ErrorNote error={error} /> : null}
        <DialogActions>
          <Button onClick={close}>{text.common.cancel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            type="submit"
            disabled={props.disabled === true}
            unavailable={isPending}
          >
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
