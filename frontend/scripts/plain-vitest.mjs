/** Prints one plain closing line: "N passed, N failed, N skipped". */
export default class PlainReporter {
  onTestRunEnd(modules) {
    let passed = 0;
    let failed = 0;
    let skipped = 0;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      // A file that does not even load has no tests but is a failure.
      if (module.state() === 'failed' && tests.length === 0) failed++;
      for (const test of tests) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
    }
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
}
