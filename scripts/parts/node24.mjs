import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { root } from './root.mjs'

/** The Node that everything runs on: 24 from npm where there is one for this platform, else the machine's if it is new enough. */
export function node24() {
  const fromNpm = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(fromNpm)) return fromNpm
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return refuse(
    `Septet runs on Node 24 and none is at hand for ${process.platform}-${process.arch}: this is Node ${process.versions.node}. Install Node 24 or newer and run the command again.`,
  )
}

function refuse(sentence) {
  console.error(sentence)
  return process.exit(1)
}

/** The environment for a tool: Node 24 and the installed tools first on the PATH. */
export const toolEnvironment = (extra = {}) => ({
  ...process.env,
  PATH: [join(node24(), '..'), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  ...extra,
})
