/**
 * Chrome's translator replaces each text by `<font>` elements. React would then insert elements before a text that is gone, which throws,
 * or change it where nobody sees it. So each replaced text returns to its place, empty, and its translation goes as soon as React changes
 * or removes it.
 */
export function keepTranslatedTexts() {
  const translations = new WeakMap<Text, Element>()
  const taken = new WeakSet<Element>()
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') showChangedText(record.target)
      else for (const node of record.removedNodes) handleRemoved(node, record)
    }
  })
  observer.observe(document, { childList: true, characterData: true, subtree: true })

  function showChangedText(node: Node) {
    const translation = node instanceof Text && node.data !== '' && translations.get(node)
    if (!translation) return
    translation.remove()
    translations.delete(node)
  }

  function handleRemoved(node: Node, record: MutationRecord) {
    if (!(node instanceof Text)) return
    const known = translations.get(node)
    if (known) return follow(node, known)
    const translation = [...record.addedNodes, record.previousSibling, record.nextSibling].find(isTranslation)
    if (!translation || translation.parentNode !== record.target) return
    if (node.isConnected && !translation.contains(node)) return
    // One that was moved into its translation leaves a copy there.
    if (translation.contains(node)) node.replaceWith(node.cloneNode())
    node.data = ''
    translation.before(node)
    translations.set(node, translation)
    taken.add(translation)
  }

  function isTranslation(node: Node | null): node is Element {
    return node instanceof Element && node.localName === 'font' && !taken.has(node)
  }

  /** React has moved or removed the text. */
  function follow(text: Text, translation: Element) {
    if (text.isConnected) return text.after(translation)
    translation.remove()
    translations.delete(text)
  }
}
