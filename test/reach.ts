import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { z } from 'zod'

import { filesBelow, importsOf, isForTests, resolved, root } from './imports.ts'

/** Where the product begins: what is started, and what starts in a thread, a worker or a page of its own. */
export const entryPoints = (): readonly string[] =>
  [...filesBelow('apps'), ...filesBelow('packages')].filter(
    (file) => /(^|\/|-)(main|worker)\.tsx?$|\/prerender\.tsx$|\/client\.ts$/u.test(file) && !isForTests(file),
  )

/** Every file of the product that some entry point needs. */
export const reachOfProduct = (): ReadonlySet<string> => reachOf(entryPoints())

/**
 * Every file that these need. What a package's index gives is followed name by name, so that a file that is public and
 * that none of them asks for is not reached.
 */
export function reachOf(files: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const queue = [...files]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file) || !existsSync(join(root, file))) continue
    seen.add(file)
    queue.push(...needsOf(file))
  }
  return seen
}

function needsOf(file: string): readonly string[] {
  const beside = importsOf(file).flatMap(({ target }) => (target.startsWith('.') ? [resolved(file, target)] : []))
  // Threads and workers are named by their address.
  const started = [...readFileSync(join(root, file), 'utf8').matchAll(/new URL\('(?:\.\/)?([\w-]+\.ts)'/gu)]
  return [
    ...beside,
    ...started.map((match) => join(dirname(file), match[1] ?? '')),
    ...namesFromPackages(file).flatMap(({ entry, name }) => indexOf(entry).get(name) ?? []),
  ]
}

/** `import { a, type B as C } from '@septet/x'`, and from `@septet/x/y`: the file that answers, and the names asked for. */
function namesFromPackages(file: string): ReadonlyArray<{ readonly entry: string; readonly name: string }> {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = text.matchAll(/(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(@septet\/[^']+)'/gu)
  return [...statements].flatMap(([, names = '', target = '']) =>
    namesIn(names).map(({ from }) => ({ entry: entryOf(target), name: from })),
  )
}

function entryOf(target: string): string {
  const [, name = '', ...rest] = target.split('/')
  const folder = existsSync(join(root, 'packages', name)) ? 'packages' : 'apps'
  const { exports } = z
    .object({ exports: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, folder, name, 'package.json'), 'utf8')))
  return join(folder, name, exports[['.', ...rest].join('/')] ?? '')
}

const indexes = new Map<string, ReadonlyMap<string, readonly string[]>>()

/** What a file that only passes on gives: by name, the file that has it. A file that declares its names itself answers for all. */
function indexOf(entry: string): ReadonlyMap<string, readonly string[]> {
  const known = indexes.get(entry)
  if (known !== undefined) return known
  const text = readFileSync(join(root, entry), 'utf8')
  const passedOn = [...text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/gu)].flatMap(
    ([, names = '', target = '']) =>
      namesIn(names).map(({ as }) => [as, [resolved(entry, target)]] satisfies [string, readonly string[]]),
  )
  const declared = [...text.matchAll(/export\s+(?:async\s+)?(?:const|function|class|type)\s+(\w+)/gu)].map(
    ([, name = '']) => [name, [entry]] satisfies [string, readonly string[]],
  )
  const index = new Map([...passedOn, ...declared])
  indexes.set(entry, index)
  return index
}

const namesIn = (list: string): ReadonlyArray<{ readonly from: string; readonly as: string }> =>
  list
    .split(',')
    .map((each) => each.trim().replace(/^type\s+/u, ''))
    .filter((each) => each !== '')
    .map((each) => {
      const [from = '', as = from] = each.split(/\s+as\s+/u)
      return { from, as }
    })

/** Files of the packages that no entry point of the product reaches. */
export function unreached(folder: string): readonly string[] {
  const reached = reachOfProduct()
  return filesBelow(folder).filter((file) => !isForTests(file) && !reached.has(file))
}
