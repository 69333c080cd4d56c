import { execFileSync } from 'node:child_process'
import { accessSync, appendFileSync, constants, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Where a program that only the operating system can give is, or undefined when it is not installed: then skip what
 * needs it, and say so with `without`. With CI=true a missing program is a failure, because nobody reads skips there.
 */
export function systemTool(name: string, debianPackage: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin', '/usr/sbin']
  const found = folders.map((folder) => path.join(folder, name)).find(isExecutable)
  if (found !== undefined) return found
  if (process.env['CI'] === 'true') throw new Error(missingTool(name, debianPackage))
  tellNotRun(`${path.basename(name)} (apt-get install ${debianPackage})`)
  return undefined
}

/** The sentence for what is not run. */
const missingTool = (name: string, debianPackage: string): string =>
  `not run: ${name} is not installed (apt-get install ${debianPackage})`

/** What the name of a test says where its tool is missing; nothing where it is there. */
export const without = (tool: string | undefined, name: string, debianPackage = name): string =>
  tool === undefined ? ` (${missingTool(name, debianPackage)})` : ''

/**
 * The folder of published traces that stands beside the repository and may not be shipped with it, or undefined when it
 * is not there: then skip what needs it. With CI=true its absence is a failure.
 */
export function publishedTraces(): URL | undefined {
  const folder = new URL('../../shared/traces/', import.meta.url)
  if (existsSync(folder)) return folder
  if (process.env['CI'] === 'true') throw new Error('not run: the published traces are not at ../shared/traces')
  tellNotRun('the figures of published traces (put them at ../shared/traces)')
  return undefined
}

/**
 * One recorded answer of a real API server, kept beside the repository like the traces; undefined when it is not there:
 * then skip what is compared with it. With CI=true its absence is a failure.
 */
export function recordedAnswer(name: string): string | undefined {
  const file = new URL(`../../shared/reference/kube-api-wire/${name}`, import.meta.url)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  if (process.env['CI'] === 'true') throw new Error(`not run: ../shared/reference/kube-api-wire/${name} is missing`)
  tellNotRun('comparisons with recorded answers of a real API server (put them at ../shared/reference/kube-api-wire)')
  return undefined
}

/**
 * The folder of objects and metrics of neighboring projects as those publish them, kept beside the repository like the
 * traces; undefined when it is not there: then skip what is read from it. With CI=true its absence is a failure.
 */
export function recordedNeighbors(): URL | undefined {
  const folder = new URL('../../shared/reference/neighbours/', import.meta.url)
  if (existsSync(folder)) return folder
  if (process.env['CI'] === 'true') throw new Error('not run: ../shared/reference/neighbours is missing')
  tellNotRun('readings of recorded objects of neighboring projects (put them at ../shared/reference/neighbours)')
  return undefined
}

/** One line for the list of what was not run, which `npm test` prints once at its end. */
export function tellNotRun(line: string): void {
  const file = process.env['SEPTET_TEST_NOT_RUN']
  if (file !== undefined && file !== '') appendFileSync(file, `${line}\n`)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The folder of answers that a real API server gave, kept beside the repository; undefined when it is not there: then skip what
 * replays them. With CI=true its absence is a failure.
 */
export function kubeApiWire(): URL | undefined {
  const folder = new URL('../../shared/reference/kube-api-wire/v1.35/', import.meta.url)
  if (existsSync(folder)) return folder
  if (process.env['CI'] === 'true') throw new Error('not run: ../shared/reference/kube-api-wire is missing')
  tellNotRun('answers of a real Kubernetes API server (put them at ../shared/reference/kube-api-wire)')
  return undefined
}

/**
 * The folder of small inputs rebuilt from public bug reports, kept beside the repository like the traces; undefined when it
 * is not there: then skip what is read from it. With CI=true its absence is a failure.
 */
export function fieldCases(): URL | undefined {
  const folder = new URL('../../shared/field-cases/', import.meta.url)
  if (existsSync(folder)) return folder
  if (process.env['CI'] === 'true') throw new Error('not run: ../shared/field-cases is missing')
  tellNotRun('readings of inputs that people reported (put them at ../shared/field-cases)')
  return undefined
}

/** A Node before 24 that the machine has, which is what the command line may meet; undefined when there is none. */
export function oldNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const nodes = [...folders, '/usr/bin'].map((folder) => path.join(folder, 'node')).filter(isExecutable)
  const old = nodes.find((node) => /^v2[0-3]\./u.test(execFileSync(node, ['--version'], { encoding: 'utf8' })))
  if (old === undefined) tellNotRun('the command line on a Node before 24 (put a Node 20 on the path)')
  return old
}
