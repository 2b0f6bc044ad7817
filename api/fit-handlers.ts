import * as builds from '#shop/fit/builds.server.ts'
import { readFit } from '#shop/fit/fit-lists.server.ts'
import * as interfaces from '#shop/fit/part-interfaces.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { api } from './contract.ts'
import type { Handlers } from './server.ts'

// biome-ignore format: a table
export const fitHandlers = (shop: Shop) => ({
  listInterfaces: ({ params }) => interfaces.listInterfaces(shop, params.partId),
  saveInterface: ({ user, params, body }) => interfaces.saveInterface(shop, user, params.partId, body),
  removeInterface: ({ user, params, body }) => interfaces.removeInterface(shop, user, params.partId, body.interface),
  readFit:       ({ body }) => readFit(shop, body),
  listBuilds:    ({ user }) => builds.listBuilds(shop, user),
  readBuild:     ({ user, params }) => builds.readBuild(shop, user, params.buildId),
  saveBuild:     ({ user, body, key }) => builds.saveBuild(shop, user, body, key),
  updateBuild:   ({ user, params, body }) => builds.updateBuild(shop, user, params.buildId, body),
  deleteBuild:   ({ user, params }) => builds.deleteBuild(shop, user, params.buildId),
  checkBuild:    ({ user, body }) => builds.checkBuild(shop, user, body.partIds),
}) satisfies Partial<Handlers<typeof api>>
