import { drawDrivetrain } from './assembly.ts'
import { toGlb } from './model-file.ts'
import { makeModel, partNames } from './models.ts'
import { openStudio, type Quality } from './scene.ts'

declare global {
  interface Window {
    partNames: string[]
    /** To be called once, before the first picture. */
    openStudio(quality: Quality): void
    /** Renders a picture of a part as a PNG in base64. */
    shoot(name: string, view: 0 | 1): Promise<string>
    /** Makes a model of a part as a GLB in base64. */
    exportModel(name: string): Promise<string>
    /** Draws the demo's assembly drawing as a PNG in base64. */
    drawDrivetrain: typeof drawDrivetrain
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

window.exportModel = async (name) => toGlb(await makeModel(name))

window.drawDrivetrain = drawDrivetrain
