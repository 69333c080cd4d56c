export { pageOf } from './answer-parts.ts'
export { MOST_CHARACTERS, recorded, runTool } from './run-tool.ts'
export { ACT_TOOLS, TOOLS } from './tools.ts'
export { TOOLSETS, type Ask, type Tool, type Toolset } from './tool.ts'
