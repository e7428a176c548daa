import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { text } from '../../text/en';
import { useNamedProject } from '../projects/projects-queries';
import { auditObject, shortId, type AuditObject } from './audit-object';
import { ProjectLink } from './project-link';
import styles from './settings.module.css';

/** What was changed, with its project: links, as far as there are views of them. */
export function AuditTarget({ entry }: { entry: Schemas['AuditEntry'] }) {
  const object = auditObject(entry);
  const id = entry.project_id ?? entry.resources.project_id;
  const slug = useNamedProject(id)?.slug;
  if (!object && !id) return <>–</>;
  return (
    <span className={styles.target}>
      {object && <ObjectLink object={object} slug={slug} />}
      {object && id && ' · '}
      {id && <ProjectLink id={id} />}
    </span>
  );
}

function ObjectLink({ object, slug }: { object: AuditObject; slug: string | undefined }) {
  const { kind, id, isGone } = object;
  const label = text.audit.objects[kind](shortId(id));
  const plain = <span title={id}>{label}</span>;
  if (isGone) return plain;
  switch (kind) {
    case 'sbom_id':
      return (
        <Link to="/sboms/$sbomId" params={{ sbomId: id }} title={id}>
          {label}
        </Link>
      );
    case 'import_id':
      return (
        <Link to="/imports/$importId" params={{ importId: id }} title={id}>
          {label}
        </Link>
      );
    case 'service_id':
      return slug === undefined ? (
        plain
      ) : (
        <Link to="/projects/$slug/services/$serviceId" params={{ slug, serviceId: id }} title={id}>
          {label}
        </Link>
      );
    case 'vulnerability_id':
      return (
        <Link to="/findings" search={{ finding: id }} title={id}>
          {label}
        </Link>
      );
    case 'alert_id':
      return (
        <Link to="/alerts" title={id}>
          {label}
        </Link>
      );
    case 'vex_id':
      return (
        <Link to="/vex/$vexId" params={{ vexId: id }} title={id}>
          {label}
        </Link>
      );
    case 'api_key_id':
      return (
        <Link to="/settings/$section" params={{ section: 'keys' }} search={{}} title={id}>
          {label}
        </Link>
      );
    default:
      return plain;
  }
}
