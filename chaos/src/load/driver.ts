import { accept, takeBack } from './accept';
import { changeAdvisory } from './change-advisory';
import { emptyProject, type LoadContext, type DrivenProject } from './driven-project';
import { read } from './read';
import { removeProject, removeSbom, removeService } from './remove';
import { repeat } from './repeat';
import { upload } from './upload';

/** One user: does one thing after the other, in one project at a time. */
export interface Driver {
  /** All that were ever made, deleted ones too. */
  readonly projects: readonly DrivenProject[];
  /** Runs until the signal aborts; finishes the current action. */
  run(signal: AbortSignal): Promise<void>;
  /** One action. */
  act(action: Action): Promise<void>;
  /** Repeats one action, with this pause in between, until the signal aborts. */
  repeat(action: Action, restMs: number, signal: AbortSignal): Promise<void>;
}

/** Something that a driver does. */
export type Action = (context: LoadContext) => Promise<unknown>;

/** Actions by their share. */
const shares: readonly (readonly [number, Action])[] = [
  [36, upload],
  [14, read],
  [8, changeAdvisory],
  [8, accept],
  [7, removeSbom],
  [4, takeBack],
  [2, removeService],
  [1, removeProject],
];
const allShares = shares.reduce((sum, [share]) => sum + share, 0);

/** Milliseconds between two actions. */
const shortestRest = 200;
const restSpread = 1_000;
/** SBOMs after which a project is left as it is, and another one begun. */
const enoughSboms = 100;

export async function createDriver(
  deps: Omit<LoadContext, 'project'>,
  name: string,
): Promise<Driver> {
  const { caller, witness, draw } = deps;
  const projects: DrivenProject[] = [];

  async function begin(): Promise<LoadContext> {
    const project = await createProject(`${name}${projects.length + 1}`);
    projects.push(project);
    const context = { ...deps, project };
    await changeAdvisory(context);
    return context;
  }

  async function createProject(called: string): Promise<DrivenProject> {
    const path = '/api/v1/projects';
    const { status, body, maybeBefore } = await caller.known({
      method: 'POST',
      path,
      body: { name: called },
    });
    witness.acknowledged('project');
    if (status === 201)
      return emptyProject((JSON.parse(body.toString()) as { id: string }).id, called);
    const page = await caller.json<{ items: { id: string; name: string }[] }>({
      path,
      query: { per_page: 200 },
    });
    const own = maybeBefore ? page?.items.find((one) => one.name === called) : undefined;
    if (!own) throw new Error(`the project ${called} was refused: ${status} ${body.toString()}`);
    return emptyProject(own.id, called);
  }

  let context = await begin();

  async function act(action: Action): Promise<void> {
    await action(context);
    if (context.project.isDeleted || context.project.model.sboms.length >= enoughSboms)
      context = await begin();
  }

  return {
    projects,
    act,
    run: (signal) =>
      repeat(
        () => act(drawn(draw(allShares))),
        () => shortestRest + draw(restSpread),
        signal,
      ),
    repeat: (action, restMs, signal) =>
      repeat(
        () => act(action),
        () => restMs,
        signal,
      ),
  };
}

function drawn(at: number): Action {
  let left = at;
  for (const [share, action] of shares) {
    if (left < share) return action;
    left -= share;
  }
  return read;
}
