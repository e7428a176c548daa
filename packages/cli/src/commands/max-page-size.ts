/** Maximum of `per_page` in the API contract. */
export const maxPageSize = 200;
