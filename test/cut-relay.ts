import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

import { selfSigned } from '@septet/simulator'

/** A way to a server that can be cut and mended. */
export type CutRelay = {
  readonly url: string
  cut(): void
  mend(): void
  /** Ends all connections; new ones are let through. */
  drop(): void
  close(): Promise<void>
}

/** Passes bytes both ways to whatever listens at an address (`unix:` with the path of a socket is one), until it is cut. */
export async function openCutRelay(to: string): Promise<CutRelay> {
  const server = createServer()
  return relayed({ server, heard: 'connection', to, url: (port) => `http://127.0.0.1:${port}` })
}

/** A way to a server that is spoken to over TLS, with a certificate that can expire and be renewed. */
export type TlsRelay = CutRelay & {
  /** What a client has to trust, PEM. */
  readonly ca: string
  /** From now on it shows one that has expired, and nobody is connected any more. */
  expire(): void
  renew(): void
}

const YEAR_MS = 365 * 86_400_000

/** Takes TLS off what is sent to a host, whose name has to lead here, and passes it on until it is cut. */
export async function openTlsRelay(to: string, host: string): Promise<TlsRelay> {
  const [good, expired] = [selfSigned(Date.now(), host), selfSigned(Date.now() - 11 * YEAR_MS, host)]
  const shown = ({ certificate, key }: typeof good) => ({ cert: certificate, key })
  const server = createTlsServer(shown(good))
  const url = (port: number): string => `https://${host}:${port}`
  const relay = await relayed({ server, heard: 'secureConnection', to, url })
  return {
    ...relay,
    ca: `${good.certificate}${expired.certificate}`,
    expire: () => {
      server.setSecureContext(shown(expired))
      relay.drop()
    },
    renew: () => server.setSecureContext(shown(good)),
  }
}

type Relayed = {
  readonly server: Server
  readonly heard: string
  readonly to: string
  readonly url: (port: number) => string
}

async function relayed({ server, heard, to, url }: Relayed): Promise<CutRelay> {
  const { protocol, hostname, port, pathname } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  server.on(heard, (near: Socket) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = protocol === 'unix:' ? connect(pathname) : connect(Number(port), hostname)
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
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const cut = (): void => {
    isCut = true
    drop()
  }
  return {
    url: url(addressOf(server.address()).port),
    cut,
    mend: () => (isCut = false),
    drop,
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
