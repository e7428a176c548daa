import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { parseDecisionsSearch } from '../features/decisions/decisions-search';
import { parseFindingsSearch } from '../features/findings/findings-search';
import { parseOverviewSearch } from '../features/overview/overview-search';
import { parsePlanSearch } from '../features/plan/plan-search';
import { parseProjectsSearch } from '../features/projects/projects-search';
import { parseSearchSearch } from '../features/search/search-search';
import { parseSettingsSearch } from '../features/settings/settings-search';
import { parseSbomSearch } from '../features/sboms/sbom-search';
import { CrashView, NothingHere } from './error-view';
import { parsePageSearch, parseSearch, stringifySearch, takeOnly } from './search-params';
import { Shell } from './shell';

const root = createRootRoute({
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: NothingHere,
  errorComponent: CrashView,
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: takeOnly(parseOverviewSearch),
  component: lazyRouteComponent(() => import('../features/overview/overview'), 'Overview'),
});
const findings = createRoute({
  getParentRoute: () => root,
  path: '/findings',
  validateSearch: takeOnly(parseFindingsSearch),
  component: lazyRouteComponent(() => import('../features/findings/findings'), 'Findings'),
});
const report = createRoute({
  getParentRoute: () => root,
  path: '/findings/report',
  validateSearch: takeOnly(parseFindingsSearch),
  component: lazyRouteComponent(() => import('../features/report/report'), 'Report'),
});
const decisions = createRoute({
  getParentRoute: () => root,
  path: '/decisions',
  validateSearch: takeOnly(parseDecisionsSearch),
  component: lazyRouteComponent(() => import('../features/decisions/decisions'), 'Decisions'),
});
const plan = createRoute({
  getParentRoute: () => root,
  path: '/plan',
  validateSearch: takeOnly(parsePlanSearch),
  component: lazyRouteComponent(() => import('../features/plan/plan'), 'Plan'),
});
const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  validateSearch: takeOnly(parseProjectsSearch),
  component: lazyRouteComponent(() => import('../features/projects/projects'), 'Projects'),
});
const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug',
  validateSearch: takeOnly(parsePageSearch),
  component: lazyRouteComponent(() => import('../features/projects/project'), 'ProjectView'),
});
const service = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/services/$serviceId',
  validateSearch: takeOnly(parsePageSearch),
  component: lazyRouteComponent(() => import('../features/projects/service'), 'ServiceView'),
});
const sbom = createRoute({
  getParentRoute: () => root,
  path: '/sboms/$sbomId',
  validateSearch: takeOnly(parseSbomSearch),
  component: lazyRouteComponent(() => import('../features/sboms/sbom'), 'SbomView'),
});
const vex = createRoute({
  getParentRoute: () => root,
  path: '/vex/$vexId',
  component: lazyRouteComponent(() => import('../features/vex/vex-document'), 'VexDocumentView'),
});
const importView = createRoute({
  getParentRoute: () => root,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => import('../features/imports/import'), 'ImportView'),
});
const diff = createRoute({
  getParentRoute: () => root,
  path: '/sboms/$sbomId/diff/$otherId',
  component: lazyRouteComponent(() => import('../features/sboms/diff'), 'DiffView'),
});
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: takeOnly(parseSearchSearch),
  component: lazyRouteComponent(() => import('../features/search/search'), 'SearchView'),
});
const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: takeOnly(parsePageSearch),
  component: lazyRouteComponent(() => import('../features/alerts/alerts'), 'Alerts'),
});
const gallery = createRoute({
  getParentRoute: () => root,
  path: '/settings/components',
  component: lazyRouteComponent(() => import('../features/gallery/gallery'), 'Gallery'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings/$section',
  validateSearch: takeOnly(parseSettingsSearch),
  component: lazyRouteComponent(() => import('../features/settings/settings'), 'Settings'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    findings,
    report,
    decisions,
    plan,
    projects,
    project,
    service,
    sbom,
    vex,
    importView,
    diff,
    search,
    alerts,
    gallery,
    settings,
  ]),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  // Within the shell: its menu leads to the views that still work.
  defaultErrorComponent: CrashView,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
