import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { filesBelow, importsOf, isForTests, packageOf, resolved, root } from './imports.ts'

type Graph = ReadonlyMap<string, ReadonlySet<string>>

const files: Graph = new Map(
  ['packages', 'apps']
    .flatMap((top) => readdirSync(join(root, top)).flatMap((name) => filesBelow(`${top}/${name}/src`)))
    .filter((file) => !isForTests(file))
    .map((file) => [file, new Set(targetsOf(file))]),
)

test('no file needs one that needs it, types too', () => {
  const found = circlesOf(files).map(
    (circle) => `${packageOf(circle[0] ?? '')}: ${circle.map((file) => basename(file)).join(', ')}`,
  )
  expect(found.toSorted()).toEqual([])
})

test('no folder needs one that needs it; a folder and what lies inside it are one', () => {
  const found = circlesOf(foldersOf(files)).filter((circle) => circle.some((place) => !files.has(place)))
  expect(found.map((circle) => circle.join(', ')).toSorted()).toEqual([])
})

test('finds circles, and nothing else', () => {
  const graph = { a: 'b', b: 'cd', c: 'a', d: 'e', e: '', f: 'f' }
  const drawn = new Map(Object.entries(graph).map(([name, to]) => [name, new Set(to)]))
  expect(circlesOf(drawn)).toEqual([['a', 'b', 'c'], ['f']])
})

function targetsOf(file: string): string[] {
  return importsOf(file).flatMap(({ target }) => (target.startsWith('.') ? [resolved(file, target)] : []))
}

/** Files beside a package's folders stand for themselves: an index needs every folder, and units are needed by all. */
function placeOf(file: string): string {
  return /^\w+\/[\w-]+\/src\/[^/]+$/u.test(file) ? file : dirname(file)
}

function foldersOf(graph: Graph): Graph {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of graph) {
    const here = placeOf(file)
    const own = folders.get(here) ?? new Set<string>()
    folders.set(here, own)
    for (const target of targets) {
      const there = placeOf(target)
      if (!`${here}/`.startsWith(`${there}/`) && !`${there}/`.startsWith(`${here}/`)) own.add(there)
    }
  }
  return folders
}

/** Tarjan's strongly connected components, of more than one member or with an edge to itself, in order. */
function circlesOf(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  for (const name of graph.keys()) if (!order.has(name)) visit(name)
  return circles.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))

  function visit(name: string): number {
    order.set(name, order.size)
    let low = order.size - 1
    open.push(name)
    for (const next of graph.get(name) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === order.get(name)) close(name)
    return low
  }

  function close(name: string): void {
    const circle = open.splice(open.indexOf(name)).toSorted()
    if (circle.length > 1 || graph.get(name)?.has(name) === true) circles.push(circle)
  }
}
