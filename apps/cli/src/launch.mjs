#!/usr/bin/env node
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { completeOlderNode } from './older-node.mjs'

completeOlderNode()

// Most of what a short command takes is reading its own files: Node keeps what it made of them, in this user's cache.
// Where it cannot be written, or Node is older than 22.8, the command only takes longer.
const { XDG_CACHE_HOME: cache = '' } = process.env
module.enableCompileCache?.(join(cache === '' ? join(homedir(), '.cache') : cache, 'septet', 'node'))
await import('./main.ts')
