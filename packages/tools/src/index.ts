export { ACT_TOOLS, TOOLS } from './tools.ts'
export { TOOLSETS, type Ask, type Toolset } from './tool.ts'
