import type { RefObject } from 'react';
import { text } from '../../text/en';
import type { FilterPart } from './filter-part';
import styles from './findings.module.css';
import { useWritten } from './use-written';

interface IdBoxProps extends FilterPart {
  searchBox: RefObject<HTMLInputElement | null>;
}

/** Words in an id, the package name or the title; applied with Enter, so that typing costs no request. */
export function IdBox({ search, searchBox, onChange }: IdBoxProps) {
  const inAddress = search.q;
  const [written, setWritten] = useWritten(inAddress);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ q: written.trim() || undefined });
      }}
    >
      <input
        ref={searchBox}
        className={styles.box}
        type="search"
        aria-label={text.findings.idBox}
        placeholder={text.findings.idBox}
        value={written}
        onChange={({ target }) => {
          setWritten(target.value);
          if (target.value === '' && inAddress) onChange({ q: undefined });
        }}
      />
    </form>
  );
}
