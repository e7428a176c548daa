import type { Schemas } from '../../api/client';
import { formatDay, formatInstant, personName } from '../../components/format';
import { Tag } from '../../components/parts';
import parts from '../../components/parts.module.css';
import type { Column } from '../../components/table';
import { WebLink } from '../../components/web-link';
import { text } from '../../text/en';

const words = text.decisions;

type Decision = Schemas['RiskAcceptanceResponse'];

/** What decisions about findings, decisions for all projects and standing rules have in common. */
export type Decided = Pick<
  Decision,
  | 'decision'
  | 'justification'
  | 'reason'
  | 'detail'
  | 'ticket_url'
  | 'assignee'
  | 'created_at'
  | 'updated_at'
  | 'expires_at'
  | 'created_by'
> &
  Partial<Pick<Decision, 'updated_by' | 'source_document'>>;

export const when: Column<Decided> = {
  name: words.columns.when,
  cell: ({ created_at }) => created_at && formatInstant(created_at),
};

export const what: Column<Decided> = {
  name: words.columns.what,
  cell: ({ decision, justification }) => (
    <>
      <b>{words.kinds[decision]}</b>
      {justification && <div>{text.accept.justifications[justification]}</div>}
    </>
  ),
};

/** Why, by whom and until when. */
export const whyWhoUntil: readonly Column<Decided>[] = [
  {
    name: words.columns.why,
    cell: ({ reason, detail, ticket_url }) => (
      <>
        {reason}
        {detail && <div>{detail}</div>}
        {ticket_url && (
          <div>
            <WebLink to={ticket_url} />
          </div>
        )}
      </>
    ),
  },
  { name: words.columns.who, cell: (one) => <Who of={one} /> },
  {
    name: words.columns.until,
    cell: ({ expires_at }) =>
      expires_at === null ? (
        words.noEnd
      ) : (
        <span className={parts.nowrap}>
          {formatDay(expires_at)}{' '}
          {Date.parse(expires_at) < Date.now() && <Tag>{text.rules.expired}</Tag>}
        </span>
      ),
  },
];

function Who({ of }: { of: Decided }) {
  const { created_by, updated_by, updated_at, assignee, source_document } = of;
  const author = nameOf(created_by);
  const editor = nameOf(updated_by ?? null);
  return (
    <>
      {source_document ? text.panel.bySource(source_document.id) : (author ?? words.unknown)}
      {editor && updated_at && <div>{words.changed(editor, formatInstant(updated_at))}</div>}
      {assignee && <div>{text.panel.assignee(assignee)}</div>}
    </>
  );
}

/** A person by name, a key by its name and prefix. */
function nameOf(actor: Schemas['DecisionActor']): string | null {
  if (!actor) return null;
  if (actor.person) return personName(actor.person);
  const { name, key_prefix } = actor;
  return words.key(name ? `${name} (${key_prefix})` : key_prefix);
}
