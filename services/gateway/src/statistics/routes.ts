import { readStatistics, type DayStatistics } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { narrowed } from '../api-keys/domain/caller';
import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

interface Statistics {
  days: DayStatistics[];
  computed_at: string | null;
}

const nothing: Statistics = { days: [], computed_at: null };

export function statisticsRoutes({ request }: { request: Request }): Routes {
  return {
    getStatistics: route<{ query: { project_id?: string; days: number } }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { project_id, days } }) => {
        const scope = narrowed(caller, project_id);
        if (scope === 'nothing') return json(nothing);
        const asked = { project_id: scope.projectId, days };
        return json((await request(readStatistics, asked)).body);
      },
    }),
  };
}
