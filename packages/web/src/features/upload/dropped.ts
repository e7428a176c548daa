import type { DropItem } from 'react-aria-components';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';

/** The files of a drop, without folders and texts. */
export function filesOf(items: readonly DropItem[]): Promise<File[]> {
  return Promise.all(items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : [])));
}

/** The one file that is taken: none while another one is on its way. Names the others, which are left out. */
export function oneOf(files: readonly File[], isBusy: boolean): File | undefined {
  const others = isBusy ? files : files.slice(1);
  if (others.length > 0) notify(text.upload.notTaken(others.map(({ name }) => name)));
  return isBusy ? undefined : files[0];
}
