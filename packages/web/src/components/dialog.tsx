import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { text } from '../text/en';
import { Button } from './button';
import styles from './controls.module.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog: keeps the focus, ends with Escape, gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog className={styles.dialog ?? ''}>
          <div className={styles.heading}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button kind="quiet" onClick={onClose} aria-label={text.common.close}>
              ✕
            </Button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
