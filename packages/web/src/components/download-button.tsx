import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/errors';
import { text } from '../text/en';
import { Button } from './button';
import { notify } from './toasts';

interface DownloadButtonProps {
  /** Saves the file. @throws ApiError */
  save: () => Promise<void>;
  children: ReactNode;
}

/** Saves a file; a refusal is told, since there is no place for it. */
export function DownloadButton({ save, children }: DownloadButtonProps) {
  const saving = useMutation({
    mutationFn: save,
    onError: (error) => notify(error instanceof ApiError ? error.message : text.errors.unexpected),
  });
  return (
    <Button unavailable={saving.isPending} onClick={() => saving.mutate()}>
      {children}
    </Button>
  );
}
