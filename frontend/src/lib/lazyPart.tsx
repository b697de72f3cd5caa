import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { whenIdle } from './idle';
import { PartFailed } from './PartFailed';

const RETRY_MS = 1_000;

/** A component whose code is loaded on its own: at rest, or at the latest when it is first shown. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return { default: await load() };
    }
  });
  whenIdle(load);
  // biome-ignore lint/correctness/noComponentHookFactories: made once per part, at the top of a module
  return function LazyPart(props: Props) {
    return (
      <Boundary>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </Boundary>
    );
  };
}

/** One part that cannot be shown leaves the rest of the page standing. */
class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <PartFailed /> : this.props.children;
  }
}
