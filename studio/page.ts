import { makeModel, partNames } from './models.ts'
import { openStudio, type Quality } from './scene.ts'

declare global {
  interface Window {
    /** Answers a picture of a part as a PNG in base64. */
    shoot(name: string, view: 0 | 1, quality: Quality): Promise<string>
    partNames: string[]
  }
}

window.partNames = partNames

let studio: ReturnType<typeof openStudio> | undefined

window.shoot = async (name, view, quality) => {
  studio ??= openStudio(quality)
  const model = await makeModel(name)
  return studio.photograph(model, model.views[view])
}
