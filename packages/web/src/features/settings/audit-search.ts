export interface AuditSearch {
  page?: string;
}

/** The page of the lists below `/settings`; anything but a number is the first one. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const page = String(search['page'] ?? '');
  return /^[1-9]\d{0,6}$/.test(page) && page !== '1' ? { page } : {};
}
