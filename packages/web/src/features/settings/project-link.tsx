import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { useNamedProject } from '../projects/projects-queries';
import { shortId } from './audit-object';

/** A project with this id: by its name if the caller sees it, else the end of the id. */
export function ProjectLink({ id }: { id: string }) {
  const project = useNamedProject(id);
  if (!project) return <span title={id}>{text.audit.project(shortId(id))}</span>;
  return (
    <Link to="/projects/$slug" params={{ slug: project.slug }}>
      {project.name}
    </Link>
  );
}
