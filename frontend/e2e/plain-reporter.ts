import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';

/** Prints one plain closing line: "N passed, N failed, N skipped". */
export default class PlainReporter implements Reporter {
  private root: Suite | undefined;

  onBegin(_config: FullConfig, suite: Suite) {
    this.root = suite;
  }

  onEnd() {
    const outcomes = (this.root?.allTests() ?? []).map((test) => test.outcome());
    const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
    const failed = outcomes.filter((outcome) => outcome === 'unexpected').length;
    console.log(`${outcomes.length - skipped - failed} passed, ${failed} failed, ${skipped} skipped`);
  }

  printsToStdio() {
    return true;
  }
}
