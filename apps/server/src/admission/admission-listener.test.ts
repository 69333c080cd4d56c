import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { listenForReviews, type AdmissionListener } from './admission-listener.ts'
import { makeAuthority, makeServing } from './x509.ts'

const HOST = '127.0.0.1'
let listener: AdmissionListener
let logged: string[]

beforeEach(async () => {
  logged = []
  const validity = { from: Date.now() - 60_000, to: Date.now() + 3_600_000 }
  listener = await listenForReviews({
    host: HOST,
    port: 0,
    served: makeServing(['localhost'], validity, makeAuthority('test', validity)),
    reviews: {
      answer: () => {
        throw new Error('nothing is asked')
      },
    },
    isGiven: () => true,
    log: { info: () => undefined, warn: (message) => void logged.push(message), error: () => undefined },
    clock: () => performance.now(),
  })
})
afterEach(() => listener.stop())

const overTls = async (text: string): Promise<Socket> => {
  const socket = connectTls({ host: HOST, port: listener.port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.write(text)
  return socket
}
const overTcp = async (bytes: Buffer): Promise<Socket> => {
  const socket = connect({ host: HOST, port: listener.port })
  await once(socket, 'connect')
  if (bytes.length > 0) socket.write(bytes)
  return socket
}
const POST = 'POST /admission/lab/00/warn HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{'

test('connections that go on with nothing are closed within seconds, whatever they began with', async () => {
  const sockets = await Promise.all([
    overTcp(Buffer.alloc(0)),
    overTcp(Buffer.from([0x16, 0x03, 0x01])),
    overTls(''),
    overTls('POST /admission/lab/00/warn HTTP/1.1\r\nho'),
    overTls(POST),
  ])
  const closed = sockets.map((socket) => {
    socket.on('error', () => undefined).resume()
    return once(socket, 'close')
  })
  await Promise.all(closed)
  expect(logged).toEqual(['an admission review could not be answered'])
})
