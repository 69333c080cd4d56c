export { pageOf } from './answer-parts.ts'
export { recorded } from './run-tool.ts'
export { ACT_TOOLS, TOOLS } from './tools.ts'
export { TOOLSETS, type Ask, type Toolset } from './tool.ts'
