import type { ReactNode } from 'react';
import { webAddress } from './web-address';

/** A link to an address that somebody else wrote; plain text if it is none of the web. */
export function WebLink({ to, children }: { to: string; children?: ReactNode }) {
  const address = webAddress(to);
  if (!address) return <span>{children ?? to}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children ?? to}
    </a>
  );
}
