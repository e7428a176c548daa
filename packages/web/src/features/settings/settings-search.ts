import { parsePageSearch, type PageSearch } from '../../app/search-params';

export interface SettingsSearch extends PageSearch {
  /** Of dead letters. */
  consumer?: string;
  /** The letter after which the list begins. */
  after?: string;
}

/** The place in the lists below `/settings`; what is none is the first one. */
export function parseSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const given = (name: keyof SettingsSearch, form: RegExp): SettingsSearch => {
    const value = String(search[name] ?? '');
    return form.test(value) ? { [name]: value } : {};
  };
  return {
    ...parsePageSearch(search),
    ...given('consumer', /^[a-z0-9-]{1,100}$/),
    ...given('after', /^[1-9]\d{0,14}$/),
  };
}
