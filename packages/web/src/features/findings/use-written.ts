import { useEffect, useRef, useState } from 'react';

/** What stands in a field of which the address has the value that applies; another address replaces it. */
export function useWritten(applied: string | undefined): [string, (written: string) => void] {
  const [written, setWritten] = useState(applied ?? '');
  const last = useRef(applied);
  useEffect(() => {
    if (last.current !== applied) setWritten(applied ?? '');
    last.current = applied;
  }, [applied]);
  return [written, setWritten];
}
