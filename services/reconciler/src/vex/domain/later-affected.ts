import { addTo } from '../../tracking/domain/grouped';

/** What a statement covers: keys of a package and version each, or everything. */
export type CoveredKeys = 'everything' | { readonly size: number; keys(): Iterable<string> };

/** Ids of vulnerabilities that a decision does not apply to, everywhere or in one package version. */
export interface Exceptions {
  everywhere: string[];
  /** By key of a package and version. */
  at: Map<string, string[]>;
}

/** Ids by kind. */
type Ids = Map<string, Set<string>>;

/** Ids that the decisions about a service name as exceptions, about. */
const namedInService = 400_000;
/** Ids that one decision may name in any case. */
const leastNamed = 20;

/**
 * Collects statements that say “affected” from the last one back, and tells what those later than a decision take from it
 * where they turn out to be about the same vulnerability, which follows from the aliases when it is applied (VX9).
 */
export class LaterAffected {
  private readonly all: Ids = new Map();
  private readonly ofEverything: Ids = new Map();
  private readonly byCover = new Map<string, Ids>();
  private readonly byKey = new Map<string, Ids[]>();
  private readonly most: number;

  /** @param decisions how many share the bound on what is stored */
  constructor(decisions: number) {
    this.most = Math.max(leastNamed, Math.floor(namedInService / Math.max(1, decisions)));
  }

  /** Adds a statement that is earlier than all those added before. */
  add(ids: readonly string[], cover: CoveredKeys): void {
    if (cover !== 'everything' && cover.size === 0) return;
    const same = cover === 'everything' ? this.ofEverything : this.withCover([...cover.keys()]);
    for (const id of ids) {
      addId(this.all, id);
      addId(same, id);
    }
  }

  /** What a decision that is earlier than all of them does not apply to. */
  exceptionsFrom(own: readonly string[], cover: CoveredKeys): Exceptions {
    // Of everything no part can be taken away.
    if (cover === 'everything') return this.bounded(own, [this.all], new Map());
    const shared = new Map<Ids, string[]>();
    for (const key of cover.keys())
      for (const ids of this.byKey.get(key) ?? []) addTo(shared, ids, key);
    const everywhere = [this.ofEverything];
    const at = new Map<string, Ids[]>();
    for (const [ids, keys] of shared)
      if (keys.length === cover.size) everywhere.push(ids);
      else for (const key of keys) addTo(at, key, ids);
    return this.bounded(own, everywhere, at);
  }

  private withCover(keys: string[]): Ids {
    const name = keys.sort().join('\n');
    const known = this.byCover.get(name);
    if (known) return known;
    const fresh: Ids = new Map();
    this.byCover.set(name, fresh);
    for (const key of keys) addTo(this.byKey, key, fresh);
    return fresh;
  }

  /** Too many ids become kinds of ids, everywhere: rather more stays open. */
  private bounded(own: readonly string[], everywhere: Ids[], at: Map<string, Ids[]>): Exceptions {
    const all = [...everywhere, ...[...at.values()].flat()];
    if (sizeOf(all) > this.most)
      return { everywhere: kindsOf([...new Set(all)], own, this.most), at: new Map() };
    const named = new Map([...at].map(([key, some]) => [key, listed(some)]));
    return { everywhere: listed(everywhere), at: named };
  }
}

/** A vulnerability rarely has two ids of one kind, so those of the decision's own kinds are the first to be named by it. */
function kindsOf(all: readonly Ids[], own: readonly string[], most: number): string[] {
  const ownKinds = own.map(kindOf);
  const pick = (isOwn: boolean): Ids[] =>
    all.map((ids) => new Map([...ids].filter(([kind]) => ownKinds.includes(kind) === isOwn)));
  const asKinds = (some: readonly Ids[]): string[] =>
    some.flatMap((ids) => [...ids.keys()].map((kind) => `${kind}*`));
  const others = pick(false);
  const named = sizeOf(others) <= most ? listed(others) : asKinds(others);
  const distinct = [...new Set([...asKinds(pick(true)), ...named])].sort();
  return distinct.length <= 2 * most ? distinct : ['*'];
}

function addId(ids: Ids, id: string): void {
  const kind = kindOf(id);
  const same = ids.get(kind);
  if (same) same.add(id);
  else ids.set(kind, new Set([id]));
}

function sizeOf(all: readonly Ids[]): number {
  return all.reduce((sum, ids) => [...ids.values()].reduce((own, { size }) => own + size, sum), 0);
}

function listed(all: readonly Ids[]): string[] {
  const ids = all.flatMap((one) => [...one.values()].flatMap((some) => [...some]));
  return [...new Set(ids)].sort();
}

/** `CVE-` of `CVE-2026-1`. */
function kindOf(id: string): string {
  return id.slice(0, id.indexOf('-') + 1);
}
