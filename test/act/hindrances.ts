import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterWriter } from '@septet/connectors'
import { stateOf } from '@septet/domain'

import { acting, store } from './on-demo.ts'
import { ENDED, flawsOf } from './kill-case.ts'
import { proposed, someCut } from './runs.ts'

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

/** The line of a cut to the cluster is cut for 45 s once it has written so often: how it stands in the end of them, and ends. */
export async function cutOffAfter(writes: number) {
  const proxy = await startProxy(acting.demo.actorKubeconfigPath)
  const writer = openClusterWriter({ kubeconfig: { path: proxy.path } })
  try {
    const before = await acting.read()
    const run = await proposed(store.actions, await someCut(acting, 1), { now: acting.now() })
    const actor = acting.actor({ writer, watchMs: 2000 })
    await acting.pass(120, [actor], async () => (await store.actions.writes(run.id)).length >= writes)
    proxy.cut()
    await acting.pass(45, [actor])
    const meanwhile = (await acting.stateOf(run.id)) ?? ''
    proxy.mend()
    const over = await acting.until(run.id, ENDED, [actor])
    const flaws = await flawsOf(acting, { run: over, before })
    return { isHeldUp: !ENDED.includes(meanwhile), ends: stateOf(over).state, flaws }
  } finally {
    await writer.close()
    proxy.close()
  }
}

/** Septet's clock jumps by so many milliseconds in the middle of a cut: what is not as it must be then. */
export async function flawsAfterJump(by: number): Promise<readonly string[]> {
  const before = await acting.read()
  const run = await proposed(store.actions, await someCut(acting, 1), { now: acting.now() })
  const actor = acting.actor({ watchMs: 2000 })
  await acting.pass(120, [actor], async () => (await store.actions.writes(run.id)).length >= 3)
  acting.skew(by)
  const over = await acting.until(run.id, ENDED, [actor])
  return flawsOf(acting, { run: over, before })
}
