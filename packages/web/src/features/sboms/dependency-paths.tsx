import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Loaded } from '../../components/loaded';
import { text } from '../../text/en';
import styles from './dependency-paths.module.css';

interface DependencyPathsProps {
  sbomId: string;
  purl: string;
}

function pathsTo({ sbomId, purl }: DependencyPathsProps) {
  const params = { path: { sbom_id: sbomId }, query: { purl } };
  return queryOptions({
    queryKey: ['sboms', sbomId, 'paths', purl],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/sboms/{sbom_id}/dependencies/paths', { params, signal })),
    retry: false,
  });
}

/** How a component comes into an SBOM: what depends on it, from the direct dependencies on. */
export function DependencyPaths(props: DependencyPathsProps) {
  return (
    <Loaded query={useQuery(pathsTo(props))} lines={2}>
      {(answer) => <Paths answer={answer} />}
    </Loaded>
  );
}

function Paths({ answer }: { answer: Schemas['DependencyPaths'] }) {
  const { has_graph, paths, more } = answer;
  if (!has_graph) return <p>{text.paths.noGraph}</p>;
  if (paths.length === 0) return <p>{text.paths.notFound}</p>;
  return (
    <>
      <ul className={styles.paths}>
        {paths.map((path) => (
          <li key={path.map(keyOf).join(' ')}>
            <ol className={styles.path}>
              <li>{text.paths.root}</li>
              {path.map((component) => (
                <li key={keyOf(component)} title={component.purl ?? undefined}>
                  {component.name} {component.version}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
      {more && <p>{text.paths.more}</p>}
    </>
  );
}

function keyOf({ name, version, purl }: Schemas['PathComponent']): string {
  return purl ?? `${name} ${version}`;
}
