type Load = () => Promise<unknown>;

const waiting: Load[] = [];
let scheduled = false;

/**
 * Loads a part of the program before it is needed, once the page has come to rest: opening it is then immediate, and works also while
 * the server is away or has been replaced by another version.
 */
export function whenIdle(load: Load) {
  waiting.push(load);
  if (scheduled || typeof window === 'undefined') return;
  scheduled = true;
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1));
  const next = async () => {
    const current = waiting.shift();
    if (!current) {
      scheduled = false;
      return;
    }
    // Nothing is lost when it fails: the real use asks again and says so.
    await current().catch(() => {});
    idle(() => void next());
  };
  setTimeout(() => idle(() => void next()), 1500);
}
