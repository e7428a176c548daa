import { SettingsError } from '@bomtrail/settings';

/** Of an address on which this machine cannot listen. A port in use is not among them: it may become free. */
const wrongAddress: readonly unknown[] = ['ENOTFOUND', 'EADDRNOTAVAIL'];

/**
 * Waits for a server to listen on the address of a setting.
 *
 * @throws SettingsError if this machine does not have the address; else what the server throws
 */
export async function listeningOn<T>(setting: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!wrongAddress.includes(code)) throw error;
    throw new SettingsError([`${setting}: must be an address of this machine (${code}).`]);
  }
}
