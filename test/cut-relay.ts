import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server that can be cut and mended. */
export type CutRelay = {
  readonly url: string
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Passes bytes both ways to whatever listens at an address, until it is cut. */
export async function openCutRelay(to: string): Promise<CutRelay> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${addressOf(server.address()).port}`,
    cut,
    mend: () => (isCut = false),
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the relay does not listen')
  return address
}
