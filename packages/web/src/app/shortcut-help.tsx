import { Dialog } from '../components/dialog';
import { text } from '../text/en';
import styles from './shell.module.css';

/** All keyboard shortcuts. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.shortcuts.title} onClose={onClose}>
      <dl className={styles.keys}>
        {text.shortcuts.list.map(([keys, meaning]) => (
          <div key={meaning} style={{ display: 'contents' }}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
