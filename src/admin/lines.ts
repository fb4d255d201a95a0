/**
 * Lines that `run` writes, as they come; then the error that it threw, if any. A reader that stops
 * ends nothing: that takes a signal.
 */
export async function* linesOf<Line>(run: (write: (line: Line) => void) => Promise<void>): AsyncGenerator<Line> {
  const waiting: Line[] = [];
  let wake = Promise.withResolvers<void>();
  let isDone = false;
  const running = run(line => {
    waiting.push(line);
    wake.resolve();
  }).finally(() => {
    isDone = true;
    wake.resolve();
  });
  running.catch(() => {});
  for (;;) {
    yield* waiting.splice(0);
    if (waiting.length > 0) continue;
    if (isDone) break;
    await wake.promise;
    wake = Promise.withResolvers();
  }
  await running;
}
