import { createCaller } from '../load/caller';
import { componentsOf, type Play } from '../load/played-project';
import { createPlayer, type Player } from '../load/player';
import { take } from '../load/upload';
import type { ClusterWorld } from './open-cluster';

/** Uploads one long document at a time, and knows how it was answered. */
export interface Probe extends Pick<Player, 'projects'> {
  /** Begins an upload, and goes on until it is accepted. */
  begin(): Probing;
}

export interface Probing {
  /** Why it had to be sent again so far. */
  readonly answers: readonly string[];
  isAccepted(): boolean;
  readonly done: Promise<void>;
}

/** @param play all but the project */
export async function createProbe(
  world: ClusterWorld,
  play: Omit<Play, 'project'>,
): Promise<Probe> {
  let answers: string[] = [];
  const witness = {
    ...world.witness,
    repeated(reason: string) {
      answers.push(reason);
      world.witness.repeated(reason);
    },
  };
  const caller = createCaller(world.target, witness);
  const player = await createPlayer({ ...play, caller }, 'probe-');
  return {
    // It begins new ones.
    get projects() {
      return player.projects;
    },
    begin() {
      const mine: string[] = [];
      answers = mine;
      let isAccepted = false;
      const done = player.act(uploadLong).then(() => {
        isAccepted = true;
      });
      // Whoever waits for it later hears of its failure then.
      done.catch(() => undefined);
      return { answers: mine, isAccepted: () => isAccepted, done };
    },
  };
}

/** A document that does not fit into a message. */
async function uploadLong(play: Play): Promise<void> {
  const components = componentsOf(play.project);
  const document = play.document(components, play.draw, true).toString();
  const content = `1.0\n${document}`;
  await take(play, { service: 'shop', components, content, overGrpc: false });
}
