import { useState } from 'react';
import { ApiError } from '../../api/errors';
import { Button } from '../../components/button';
import { CoverageBar } from '../../components/coverage';
import { DataNote } from '../../components/data-note';
import { ErrorNote } from '../../components/error-note';
import { SelectField, TextField } from '../../components/fields';
import { Pager } from '../../components/pager';
import { Ago, Empty, Facts, Page, PageHead, Section, Skeleton, Tag } from '../../components/parts';
import { SeverityBadge, SeverityBar } from '../../components/severity';
import { severities } from '../../components/severity-order';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import styles from './gallery.module.css';

const { names } = text.gallery;
const counts = { critical: 3, high: 8, medium: 13, low: 5, none: 0, unknown: 2 };
const yesterday = new Date(Date.now() - 86_400_000).toISOString();
const failures = [
  new ApiError(text.errors.offline, { status: 0, code: 'offline' }),
  new ApiError(text.gallery.refused, { status: 403, code: 'insufficient_scope' }),
  new ApiError(text.errors.nothingHereWhy, { status: 404, code: 'not_found' }),
  new ApiError(text.errors.unexpected, { status: 500, code: 'internal_error', requestId: 'a1b2' }),
];

/** Every component in each of its states, for those who change them and for the tests. */
export function Gallery() {
  return (
    <Page>
      <PageHead title={text.gallery.title} lead={text.gallery.lead} />
      <Section title={names.severities}>
        <div className={styles.row}>
          {severities.map((one) => (
            <SeverityBadge key={one} severity={one} score={one === 'unknown' ? null : 7.5} />
          ))}
        </div>
        <SeverityBar counts={counts} />
      </Section>
      <Section title={names.words}>
        <div className={styles.row}>
          {(['plain', 'good', 'warn', 'bad'] as const).map((kind) => (
            <Tag key={kind} kind={kind}>
              {kind}
            </Tag>
          ))}
          <DataNote data="starter" />
          <DataNote data="none" />
          <Ago at={yesterday} />
        </div>
      </Section>
      <Section title={names.buttons}>
        <div className={styles.row}>
          {(['primary', 'plain', 'quiet', 'danger'] as const).map((kind) => (
            <Button key={kind} kind={kind}>
              {kind}
            </Button>
          ))}
          <Button kind="primary" disabled>
            {names.disabled}
          </Button>
        </div>
        <Pages />
      </Section>
      <Section title={names.fields}>
        <Fields />
      </Section>
      <Section title={names.coverage}>
        <CoverageBar coverage={{ components: 45, evaluated: 45, undetermined: {} }} />
        <CoverageBar
          coverage={{ components: 45, evaluated: 42, undetermined: { no_purl: 2, no_version: 1 } }}
        />
        <CoverageBar coverage={null} />
      </Section>
      <Section title={names.tables}>
        <Table
          label={names.tables}
          rows={[...severities]}
          keyOf={(one) => one}
          columns={[
            { name: names.words, cell: (one) => <b>{text.severity[one]}</b> },
            { name: names.numbers, align: 'right', cell: (one) => counts[one] },
          ]}
        />
        <Facts facts={severities.map((one) => [text.severity[one], counts[one]] as const)} />
      </Section>
      <Section title={names.states}>
        <Skeleton lines={3} />
        <Empty title={text.findings.empty}>{text.findings.emptyNarrowed}</Empty>
        {failures.map((failure) => (
          <ErrorNote key={failure.code} error={failure} onRetry={() => undefined} />
        ))}
      </Section>
    </Page>
  );
}

function Pages() {
  const [page, setPage] = useState(2);
  return <Pager page={page} totalPages={3} onPage={setPage} />;
}

function Fields() {
  const [written, setWritten] = useState('');
  return (
    <div className={styles.fields}>
      <TextField
        label={names.plain}
        hint={text.accept.reasonHint}
        value={written}
        onChange={setWritten}
      />
      <TextField label={names.wrong} problem={text.gallery.problem} defaultValue="…" />
      <SelectField
        label={names.choice}
        value="a"
        choices={[['a', names.plain]]}
        onChange={() => undefined}
      />
    </div>
  );
}
