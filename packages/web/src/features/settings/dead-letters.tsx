import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { SelectField } from '../../components/fields';
import { formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Clock, Empty } from '../../components/parts';
import { Table } from '../../components/table';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { LetterDialog } from './letter-dialog';
import type { SettingsSearch } from './settings-search';
import { lettersKey, replayLetter } from './letter-calls';
import styles from './settings.module.css';

type Letter = Schemas['DeadLetter'];
type Letters = Schemas['DeadLetterList'];

function lettersAfter(consumer: string, after: number) {
  const query = { consumer, after, per_page: 50 };
  return queryOptions({
    queryKey: [...lettersKey, consumer, after],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/dead-letters', { params: { query }, signal })),
    // The choice above the list, which has the focus, stays while another list comes.
    placeholderData: keepPreviousData,
  });
}

/** Messages that no service could handle: looked at, replayed and deleted. */
export function DeadLetters() {
  const { consumer = '', after = '0' } = useSearch({ from: '/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const queries = useQueryClient();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<number | null>(null);
  const show = (search: SettingsSearch) => void navigate({ search });
  /** The rows that had the focus may have gone. */
  const reload = async () => {
    await queries.invalidateQueries({ queryKey: lettersKey });
    list.current?.focus();
  };
  const query = useQuery(lettersAfter(consumer, Number(after)));
  const { isPlaceholderData } = query;
  return (
    <Loaded query={query} lines={8}>
      {(found) => (
        <div ref={list} tabIndex={-1} className={styles.list}>
          <Choice
            found={found}
            isPlaceholder={isPlaceholderData}
            consumer={consumer}
            onChoose={show}
            onReplayed={reload}
          />
          {found.items.length > 0 ? (
            <Rows rows={found.items} onOpen={setOpen} />
          ) : found.consumers.length > 0 ? (
            <Empty title={text.letters.emptyHere}>{text.letters.emptyHereWhy}</Empty>
          ) : (
            <Empty title={text.letters.empty}>{text.letters.emptyWhy}</Empty>
          )}
          {(found.has_more || after !== '0') && (
            <nav className={styles.pages} aria-label={text.pager.label}>
              <Button unavailable={after === '0'} onClick={() => show({ consumer })}>
                {text.letters.first}
              </Button>
              <Button
                unavailable={isPlaceholderData || !found.has_more}
                onClick={() => show({ consumer, after: String(found.items.at(-1)?.id) })}
              >
                {text.pager.next}
              </Button>
            </nav>
          )}
          {open !== null && (
            <LetterDialog id={open} onClose={() => setOpen(null)} onChanged={reload} />
          )}
        </div>
      )}
    </Loaded>
  );
}

interface ChoiceProps {
  found: Letters;
  /** The list of the last choice, until that of the present one is there. */
  isPlaceholder: boolean;
  consumer: string;
  onChoose: (search: SettingsSearch) => void;
  onReplayed: () => Promise<void>;
}

/** Whose letters, how many, and all that are shown at once. */
function Choice({ found, isPlaceholder, consumer, onChoose, onReplayed }: ChoiceProps) {
  const { items, consumers } = found;
  const replaying = useMutation({
    mutationFn: async () => {
      try {
        for (const { id } of items) await replayLetter(id);
      } finally {
        await onReplayed();
      }
    },
    onSuccess: () => notify(text.letters.replayed(items.length)),
    onError: ({ message }) => notify(message),
  });
  if (consumers.length === 0 && consumer === '') return null;
  const all = consumers.reduce((sum, { letters }) => sum + letters, 0);
  const choices = withChosen(consumers, consumer);
  return (
    <div className={styles.choice}>
      <SelectField
        label={text.letters.consumer}
        value={consumer}
        choices={[
          ['', text.letters.all(formatNumber(all))],
          ...choices.map(
            (one) =>
              [one.consumer, text.letters.of(one.consumer, formatNumber(one.letters))] as const,
          ),
        ]}
        onChange={(chosen) => onChoose({ consumer: chosen })}
      />
      <Button
        unavailable={isPlaceholder || items.length === 0 || replaying.isPending}
        onClick={() => replaying.mutate()}
      >
        {text.letters.replayShown(items.length)}
      </Button>
    </div>
  );
}

/** A consumer that has no letters any more stays a choice while it is the chosen one. */
function withChosen(consumers: Letters['consumers'], chosen: string): Letters['consumers'] {
  const isMissing = chosen !== '' && !consumers.some(({ consumer }) => consumer === chosen);
  return isMissing ? [...consumers, { consumer: chosen, letters: 0 }] : consumers;
}

function Rows({ rows, onOpen }: { rows: readonly Letter[]; onOpen: (id: number) => void }) {
  return (
    <Table
      label={text.settings.sections['dead-letters']}
      rows={rows}
      keyOf={({ id }) => String(id)}
      columns={[
        {
          name: text.letters.when,
          cell: ({ dead_lettered_at }) => <Clock at={dead_lettered_at} />,
        },
        { name: text.letters.consumer, cell: ({ consumer }) => <b>{consumer}</b> },
        { name: text.letters.reason, cell: ({ reason }) => reason },
        {
          name: text.letters.attempts,
          align: 'right',
          cell: ({ attempts }) => formatNumber(attempts),
        },
        { name: text.letters.stream, secondary: true, cell: ({ stream }) => stream ?? '–' },
        {
          name: text.letters.subject,
          secondary: true,
          cell: ({ subject }) => <code>{subject}</code>,
        },
        {
          name: text.letters.look,
          align: 'right',
          cell: ({ id }) => (
            <Button kind="quiet" aria-label={text.letters.open(id)} onClick={() => onOpen(id)}>
              {text.letters.look}
            </Button>
          ),
        },
      ]}
    />
  );
}
