import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button';
import { Dialog, DialogActions } from '../../components/dialog';
import { ErrorNote } from '../../components/error-note';
import { formatInstant } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Facts } from '../../components/parts';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { deadLetter, deleteLetter, replayLetter } from './letter-calls';
import styles from './settings.module.css';

interface LetterDialogProps {
  id: number;
  onClose: () => void;
  /** The letter has gone. */
  onChanged: () => Promise<void>;
}

/** A dead letter with its message, to be replayed or deleted. */
export function LetterDialog({ id, onClose, onChanged }: LetterDialogProps) {
  const query = useQuery(deadLetter(id));
  const ended = (said: string) => async () => {
    notify(said);
    onClose();
    await onChanged();
  };
  const replaying = useMutation({
    mutationFn: () => replayLetter(id),
    onSuccess: ended(text.letters.replayed(1)),
  });
  const deleting = useMutation({
    mutationFn: () => deleteLetter(id),
    onSuccess: ended(text.letters.deleted(id)),
  });
  const error = replaying.error ?? deleting.error;
  const isBusy = replaying.isPending || deleting.isPending || !query.data;
  return (
    <Dialog title={text.letters.title(id)} onClose={onClose}>
      <Loaded query={query} lines={8}>
        {(letter) => (
          <>
            <Facts
              facts={[
                [text.letters.when, formatInstant(letter.dead_lettered_at)],
                [text.letters.consumer, letter.consumer],
                [text.letters.stream, letter.stream],
                [text.letters.subject, letter.subject],
                [text.letters.attempts, letter.attempts],
                [text.letters.reason, letter.reason],
              ]}
            />
            <pre
              className={styles.message}
              tabIndex={0}
              role="region"
              aria-label={text.letters.message}
            >
              {letter.base64 ?? JSON.stringify(letter.message, null, 2)}
            </pre>
          </>
        )}
      </Loaded>
      <p>{text.letters.hint}</p>
      {error && <ErrorNote error={error} />}
      <DialogActions>
        <Button kind="danger" unavailable={isBusy} onClick={() => deleting.mutate()}>
          {text.letters.delete}
        </Button>
        <Button kind="primary" unavailable={isBusy} onClick={() => replaying.mutate()}>
          {text.letters.replay}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
