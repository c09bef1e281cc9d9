/** Each log of a service listens for the end of its process, and test files with a service of their own share one. */
process.setMaxListeners(Number.POSITIVE_INFINITY);
