import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterWriter } from '@septet/connectors'
import { stateOf } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { ENDED, flawsOf } from './kill-case.ts'
import { proposed, someCut } from './runs.ts'

eachOnDemo()

/** A proxy between the actor and the API server, which can be cut: what runs through it ends, and nobody gets in. */
async function startProxy(kubeconfigPath: string) {
  const text = readFileSync(kubeconfigPath, 'utf8')
  const target = Number(/server: https?:\/\/[^:]+:(\d+)/u.exec(text)?.[1])
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) return socket.destroy()
    const onward = connect(target, '127.0.0.1')
    for (const each of [socket, onward]) {
      open.add(each)
      each
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(each)
          socket.destroy()
          onward.destroy()
        })
    }
    return socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const folder = mkdtempSync(join(tmpdir(), 'septet-proxy-'))
  const path = join(folder, 'kubeconfig')
  writeFileSync(path, text.replace(`:${target}`, `:${port}`))
  const end = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    path,
    cut: () => {
      isCut = true
      end()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      end()
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

test.for([1, 3, 4, 5])('a network that is cut after write %i holds a change up, and harms nothing', async (writes) => {
  const proxy = await startProxy(acting.demo.actorKubeconfigPath)
  const writer = openClusterWriter({ kubeconfig: { path: proxy.path } })
  try {
    const before = await acting.read()
    const run = await proposed(store.actions, await someCut(acting, 1), { now: acting.now() })
    const actor = acting.actor({ writer, watchMs: 2000 })
    await acting.pass(120, [actor], async () => (await store.actions.writes(run.id)).length >= writes)
    proxy.cut()
    await acting.pass(45, [actor])
    expect(ENDED).not.toContain(await acting.stateOf(run.id))
    proxy.mend()
    const over = await acting.until(run.id, ENDED, [actor])
    expect(stateOf(over).state).toBe('kept')
    expect(await flawsOf(acting, { run: over, before })).toEqual([])
  } finally {
    await writer.close()
    proxy.close()
  }
})

const HOUR = 3_600_000

describe('a clock that jumps in the middle of a change', () => {
  test.for([
    ['an hour ahead', HOUR],
    ['an hour back', -HOUR],
    ['two days ahead', 48 * HOUR],
    ['two days back', -48 * HOUR],
  ] as const)('%s: the cluster ends in the new layout or in the old one', async ([, jump]) => {
    const before = await acting.read()
    const run = await proposed(store.actions, await someCut(acting, 1), { now: acting.now() })
    const actor = acting.actor({ watchMs: 2000 })
    await acting.pass(120, [actor], async () => (await store.actions.writes(run.id)).length >= 3)
    acting.skew(jump)
    const over = await acting.until(run.id, ENDED, [actor])
    expect(await flawsOf(acting, { run: over, before })).toEqual([])
  })

  test('before it is begun: one that has lapsed since is not begun', async () => {
    const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    acting.skew(48 * HOUR)
    expect(stateOf(await acting.until(run.id, ENDED, [acting.actor()])).state).toBe('expired')
    expect(await store.actions.writes(run.id)).toEqual([])
  })
})
