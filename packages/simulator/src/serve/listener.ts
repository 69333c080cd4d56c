import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createSocketServer, type Server, type Socket } from 'node:net'
import type { Certificate } from './certificate.ts'

export type Listener = { readonly port: number; close(): Promise<void> }

// The first byte of a TLS handshake record.
const TLS_HANDSHAKE = 0x16

/** Serves HTTP and HTTPS on one loopback port: Prometheus scrapes plainly, kubectl sends its token over TLS alone. */
export async function listen(
  port: number,
  of: { certificate: Certificate; answer: RequestListener },
): Promise<Listener> {
  const plain = createServer(of.answer)
  const secure = createTlsServer({ cert: of.certificate.certificate, key: of.certificate.key }, of.answer)
  for (const server of [plain, secure]) server.keepAliveTimeout = 65_000
  const sockets = new Set<Socket>()
  const front = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.once('data', (first) => {
      socket.pause()
      socket.unshift(first)
      const server = first[0] === TLS_HANDSHAKE ? secure : plain
      server.emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
  return {
    port: await bind(front, port),
    close: async () => {
      const closed = new Promise<void>((resolve) => void front.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const bind = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(taken ? new Error(`port ${port} is in use: set SEPTET_DEMO_PORT to another one, or to 0 for any`) : error)
    })
    server.listen(port, '127.0.0.1', () => {
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
