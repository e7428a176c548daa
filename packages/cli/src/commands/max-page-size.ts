/** The most rows that one answer of the service holds (the contract's bound of `per_page`). */
export const maxPageSize = 200;
