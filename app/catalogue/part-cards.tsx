import { type ComponentType, createContext, useContext } from 'react'
import type { PartSummary } from '#shop/parts/part.ts'

/** Returns the HTML of `<Card {...props} />`, from memory if it has been rendered with these props. */
export type MarkupOf = <Props extends object>(Card: ComponentType<Props>, props: Props) => string

/** Only on the server. */
export const MarkupContext = createContext<MarkupOf | null>(null)

interface Props<Card> {
  className: string
  /** Depends on its props alone: on no context, and on no id that React makes. */
  Card: ComponentType<Card>
  cards: Card[]
}

/** The server renders a card when its part changes, not for each page that shows it: most elements of a list are those of its cards. */
export function PartCards<Card extends { part: PartSummary }>({ className, Card, cards }: Props<Card>) {
  const renderMarkup = useContext(MarkupContext)
  if (!renderMarkup)
    return (
      <div className={className}>
        {cards.map((props) => (
          <Card key={props.part._id} {...props} />
        ))}
      </div>
    )
  const html = cards.map((props) => renderMarkup(Card, props)).join('')
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React made it
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}
