import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { filesBelow, importsOf, isForTests, resolved, root } from './imports.ts'

export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The files of the product, each with the files beside and below it that it imports, types too. */
export const fileGraph = (): Graph =>
  new Map(
    ['packages', 'apps']
      .flatMap((top) => readdirSync(join(root, top)).flatMap((name) => filesBelow(`${top}/${name}/src`)))
      .filter((file) => !isForTests(file))
      .map((file) => [file, new Set(targetsOf(file))]),
  )

/** Circles between folders; one file beside a package's folders is none. */
export const folderCircles = (files: Graph): string[][] =>
  circlesOf(foldersOf(files)).filter((circle) => circle.some((place) => !files.has(place)))

function targetsOf(file: string): string[] {
  return importsOf(file).flatMap(({ target }) => (target.startsWith('.') ? [resolved(file, target)] : []))
}

/** Files beside a package's folders stand for themselves: an index needs every folder, and units are needed by all. */
function placeOf(file: string): string {
  return /^\w+\/[\w-]+\/src\/[^/]+$/u.test(file) ? file : dirname(file)
}

/** The same between folders: a folder and what lies inside it are one. */
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
export function circlesOf(graph: Graph): string[][] {
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
