// Loaded into the service's process by the fuzzer (node --expose-gc --import): tells how much is left on the heap after
// all garbage was collected, which no look from outside can tell.
process.on('message', () => {
  // Twice: what a first collection finalizes, a second one frees.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ bytes: heapUsed + external });
});
// The fuzzer's questions alone must not keep a service alive that wants to stop.
process.channel.unref();
