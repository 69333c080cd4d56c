/**
 * What a process that a test starts gets of this one's environment: where programs are, and where Node keeps what it
 * compiled, which is most of the time that a short-lived process takes.
 */
export function childEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}
