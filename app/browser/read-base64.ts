/** Throws an Error with a message for people. */
export function readBase64(file: Blob): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve((reader.result as string).replace(/^.*,/, ''))
    reader.onerror = () => reject(new Error('We can’t read this file. Choose it again.'))
    reader.readAsDataURL(file)
  })
}
