import { text } from '../text/en';
import { Button } from './button';
import styles from './pager.module.css';

interface PagerProps {
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
}

/** Earlier and later pages; nothing if there is only one. */
export function Pager({ page, totalPages, onPage }: PagerProps) {
  if (totalPages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={text.pager.label}>
      <Button unavailable={page <= 1} onClick={() => onPage(page - 1)}>
        {text.pager.previous}
      </Button>
      <span>{text.pager.position(page, totalPages)}</span>
      <Button unavailable={page >= totalPages} onClick={() => onPage(page + 1)}>
        {text.pager.next}
      </Button>
    </nav>
  );
}
