import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Schemas } from '../../api/client';
import { CoverageBar } from '../../components/coverage';
import { DataNote } from '../../components/data-note';
import { DownloadButton } from '../../components/download-button';
import { formatNumber } from '../../components/format';
import { LoadedPage } from '../../components/loaded';
import { Ago, PageHead, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { projectById } from '../projects/projects-queries';
import { Dependencies } from './dependencies';
import { VexDownload } from '../projects/vex-download';
import { Licences } from './licences';
import { Quality } from './quality';
import { saveDisclosure, saveSbom, saveSbomList, sbomDetail } from './sbom-queries';
import styles from './sboms.module.css';
import { SbomFindings } from './sbom-findings';
import type { SbomTab } from './sbom-search';
import { Undetermined } from './undetermined';
import { unknownFindings } from './unknown-findings';

type Sbom = Schemas['SBOMDetailResponse'];

/** One SBOM: what was found, what it contains, and what could not be checked. */
export function SbomView() {
  const { sbomId } = useParams({ from: '/sboms/$sbomId' });
  const query = useQuery(sbomDetail(sbomId));
  return (
    <LoadedPage query={query} lines={12}>
      {(sbom) => {
        const isDropped = unknownFindings(sbom) === 'dropped';
        return (
          <>
            <PageHead
              crumbs={<Crumbs sbom={sbom} />}
              title={`${sbom.service_name ?? text.common.projectLevel} ${sbom.version ?? ''}`}
              lead={<Lead sbom={sbom} />}
              actions={!isDropped && <Downloads sbom={sbom} />}
            />
            <ScanState sbom={sbom} />
            {!isDropped && (
              <>
                <CoverageBar coverage={sbom.coverage} />
                <Parts sbom={sbom} />
              </>
            )}
          </>
        );
      }}
    </LoadedPage>
  );
}

function Downloads({ sbom: { id, project_id, scan_status } }: { sbom: Sbom }) {
  return (
    <>
      {scan_status === 'scanned' && (
        <>
          <DownloadButton save={() => saveSbomList(id, 'vulnerabilities')}>
            {text.sbom.downloadFindings}
          </DownloadButton>
          <DownloadButton save={() => saveDisclosure(id)}>{text.sbom.downloadVdr}</DownloadButton>
          <VexDownload scope={{ project_id, sbom_id: id }} />
        </>
      )}
      <DownloadButton save={() => saveSbomList(id, 'dependencies')}>
        {text.sbom.downloadDependencies}
      </DownloadButton>
      <DownloadButton save={() => saveSbom(id)}>{text.sbom.download}</DownloadButton>
    </>
  );
}

function Crumbs({ sbom }: { sbom: Sbom }) {
  const { data } = useQuery(projectById(sbom.project_id));
  if (!data) return <>…</>;
  const { slug, name } = data;
  return (
    <>
      <Link to="/projects/$slug" params={{ slug }}>
        {name}
      </Link>
      {sbom.service_id && (
        <>
          {' / '}
          <Link
            to="/projects/$slug/services/$serviceId"
            params={{ slug, serviceId: sbom.service_id }}
          >
            {sbom.service_name}
          </Link>
        </>
      )}
    </>
  );
}

function Lead({ sbom }: { sbom: Sbom }) {
  return (
    <>
      {[sbom.format, sbom.spec_version].filter(Boolean).join(' ')} ·{' '}
      {text.sbom.dependencyCount(formatNumber(sbom.dependency_count ?? 0))}
      {sbom.created_at && (
        <>
          {' · '}
          {text.sbom.uploaded} <Ago at={sbom.created_at} />
        </>
      )}{' '}
      <DataNote data={sbom.advisory_data} />
    </>
  );
}

function ScanState({ sbom }: { sbom: Sbom }) {
  const unknown = unknownFindings(sbom);
  if (!unknown) return null;
  if (unknown === 'failed') {
    return (
      <p role="alert">
        <Tag kind="bad">{text.sbom.failed}</Tag> {sbom.scan_error}
      </p>
    );
  }
  return (
    <p role="status">
      <Tag kind="warn">{text.sbom[unknown]}</Tag> {text.sbom.unknownWhy[unknown]}
    </p>
  );
}

/** Stands where a 0 would say that there is none. */
const unknownCount = '–';

function Parts({ sbom }: { sbom: Sbom }) {
  const search = useSearch({ from: '/sboms/$sbomId' });
  const navigate = useNavigate({ from: '/sboms/$sbomId' });
  const { coverage, vulnerabilities } = sbom;
  const missing = coverage ? formatNumber(coverage.components - coverage.evaluated) : unknownCount;
  const found = unknownFindings(sbom) ? unknownCount : formatNumber(vulnerabilities.length);
  const parts = [
    ['findings', text.sbom.tabs.findings(found)],
    ['dependencies', text.sbom.tabs.dependencies(formatNumber(sbom.dependencies.length))],
    ['coverage', text.sbom.tabs.coverage(missing)],
    ['licences', text.sbom.tabs.licences],
    ['quality', text.sbom.tabs.quality(sbom.quality?.score)],
  ] as const;
  return (
    <Tabs
      selectedKey={search.tab ?? 'findings'}
      onSelectionChange={(tab) => void navigate({ search: { ...search, tab: tab as SbomTab } })}
    >
      <TabList className={styles.tabs ?? ''} aria-label={text.sbom.parts}>
        {parts.map(([id, label]) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            {label}
          </Tab>
        ))}
      </TabList>
      <TabPanel id="findings" className={styles.part ?? ''}>
        <SbomFindings sbom={sbom} />
      </TabPanel>
      <TabPanel id="dependencies" className={styles.part ?? ''}>
        <Dependencies sbom={sbom} />
      </TabPanel>
      <TabPanel id="coverage" className={styles.part ?? ''}>
        <Undetermined sbomId={sbom.id} />
      </TabPanel>
      <TabPanel id="licences" className={styles.part ?? ''}>
        <Licences sbom={sbom} />
      </TabPanel>
      <TabPanel id="quality" className={styles.part ?? ''}>
        <Quality quality={sbom.quality} />
      </TabPanel>
    </Tabs>
  );
}
