import { makeModel, partNames } from './models.ts'
import { openStudio, type Quality } from './scene.ts'

declare global {
  interface Window {
    partNames: string[]
    /** To be called once, before the first picture. */
    openStudio(quality: Quality): void
    /** Renders a picture of a part as a PNG in base64. */
    shoot(name: string, view: 0 | 1): Promise<string>
  }
}

window.partNames = partNames

let studio: ReturnType<typeof openStudio>

window.openStudio = (quality) => {
  studio = openStudio(quality)
}

window.shoot = async (name, view) => {
  const model = await makeModel(name)
  return studio.photograph(model, model.views[view])
}
