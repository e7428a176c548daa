import { readFileSync } from 'node:fs';

/** Loaded before a service of the demo: its `Date` is behind by what the file says. */
const file = process.env['BOMTRAIL_DEMO_CLOCK'] ?? '';
const RealDate = Date;
let behindMs = read();
setInterval(() => (behindMs = read()), 20).unref();

/** A file that is being written is read again at once after. */
function read(): number {
  try {
    const text = readFileSync(file, 'utf8');
    return text === '' ? behindMs : Number(text);
  } catch {
    return behindMs;
  }
}

const nowOfDemo = () => RealDate.now() - behindMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (real, given: [], target: new () => object) =>
    Reflect.construct(real, given.length === 0 ? [nowOfDemo()] : given, target) as object,
  apply: () => new RealDate(nowOfDemo()).toString(),
  get: (real, name) => (name === 'now' ? nowOfDemo : (Reflect.get(real, name) as unknown)),
});
