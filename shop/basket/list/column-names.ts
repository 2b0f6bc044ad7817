/** What a column of an order or a price list is about; `count` and `amount` may also be a quantity. */
export type ColumnRole =
  | 'number'
  | 'customer number'
  | 'name'
  | 'quantity'
  | 'count'
  | 'unit'
  | 'price'
  | 'total'
  | 'position'
  | 'stock'
  | 'minimum'
  | 'pack'
  | 'other'

const words = (text: string) => new Set(text.split(/\s+/))

const ordered = words(
  'ordered requested request wanted needed required order bestellt bestellte commandee commande pedida pedido ordinata besteld',
)
const numberWords = words('no nr num number numbers nummer numero code id ref reference sku')
const otherSide = words(
  'customer client buyer cust kunden kunde ihre client votre cliente klant klanten uw vostro su',
)

/** The first that has a word of a name decides. English, German, French, Spanish, Italian and Dutch, without accents. */
const vocabulary: [ColumnRole, Set<string>][] = [
  [
    'price',
    words(`price prices unitprice preis einzelpreis stuckpreis stueckpreis listenpreis nettopreis prix precio prezzo prijs stuksprijs
    cost costs kosten ep pu vk uvp msrp rrp eur usd gbp euro`),
  ],
  [
    'pack',
    words(`pack packs package packaging packing carton cartons box boxes case multiple multiples vpe verpackungseinheit verpackung
    verpackungsmenge packung gebinde colis conditionnement caja embalaje confezione verpakking doos per`),
  ],
  [
    'other',
    words(`discount rabatt remise descuento sconto korting vat tax mwst ust tva iva btw weight kg gewicht poids peso
    ean gtin upc barcode tariff hs date datum fecha data week year colour farbe couleur kleur size grosse taille
    note notes remark remarks comment comments bemerkung delivery liefertermin lieferdatum brand marke marque marca merk
    delivered geliefert livree entregada consegnata geleverd open offen backorder`),
  ],
  [
    'minimum',
    words('min minimum moq mindest mindestmenge mindestbestellmenge mindestabnahme minimo minima minimale'),
  ],
  [
    'stock',
    words(`stock available availability inventory hand bestand lager lagerbestand verfugbar verfugbare disponible
    existencias giacenza disponibile disponibilita voorraad beschikbaar magazzino`),
  ],
  [
    'total',
    words(`total totals subtotal sum summe betrag gesamt gesamtpreis gesamtbetrag gesamtsumme montant somme importe importo bedrag
    totale totaal value wert valeur valor valore waarde net gross netto brutto`),
  ],
  ['unit', words('unit uom um einheit me mengeneinheit unite unidad unita eenheid measure')],
  [
    'position',
    words(
      'pos poste position line row zeile ligne linea fila riga regel posicion posizione positie lfd seq sequence index',
    ),
  ],
  [
    'count',
    words('count amount pcs pieces units stuck stueck stk stuks pezzi piezas unidades pieces unites'),
  ],
  [
    'name',
    words(`name description bezeichnung beschreibung artikelbezeichnung designation libelle descripcion denominacion descrizione
    denominazione omschrijving benaming naam desc text title`),
  ],
  [
    'number',
    words(`sku number numbers no nr num numero nummer code codigo codice ref reference referencia riferimento referentie mpn
    part article item artikel articulo articolo artikelnummer artikelnr teilenummer teilenr materialnummer material product produkt produit
    producto prodotto bestellnummer bestelnummer`),
  ],
]

const quantity =
  words(`qty quantity quantities qnty quant qtty menge bestellmenge anzahl stuckzahl stueckzahl quantite quantites qte
  cantidad cantidades cant ctd quantita qta aantal hoeveelheid quantidade qtd antal antall ilosc mnozstvi maara miktar adet количество кол 数量 數量`)

/** Undefined for words that are none of these. */
export function readColumnName(name: string): ColumnRole | undefined {
  if (/^\s*(?:#|n[°º.]?)\s*$/i.test(name)) return 'position'
  if (/^\s*[€$£]\s*$/.test(name)) return 'price'
  const list = splitName(name)
  if (list.length === 0 || list.length > 6) return
  const has = (known: Set<string>) => list.some((word) => known.has(word))
  const roles = vocabulary.filter(([, known]) => has(known)).map(([role]) => role)
  if (has(otherSide) && (has(numberWords) || roles.includes('number'))) return 'customer number'
  if (has(quantity)) return readQuantityName(roles)
  const isOrdered = has(ordered) && !roles.some((role) => notOrdered.has(role))
  return isOrdered && !has(numberWords) ? 'quantity' : (roles[0] ?? undefined)
}

function splitName(name: string): string[] {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  )
}

/** Such as "Requested packs". */
export function isAboutPacks(name: string) {
  const pack = vocabulary.find(([role]) => role === 'pack')![1]
  return splitName(name).some((word) => pack.has(word))
}

const notOrdered = new Set<ColumnRole>(['other', 'minimum', 'stock', 'price', 'total', 'unit', 'position'])

/** Of a name with a word for quantities, which another word may restrict: "Pack quantity", "Quantity unit". */
function readQuantityName(roles: ColumnRole[]): ColumnRole {
  return roles.find((role) => restricting.has(role)) ?? 'quantity'
}

const restricting = new Set<ColumnRole>(['other', 'minimum', 'stock', 'pack', 'price'])

/** Lines below a list, such as `Total` or `Shipping`. */
const notParts =
  words(`total totals subtotal sum summe zwischensumme gesamt gesamtsumme gesamtbetrag somme suma totale totaal importe vat tax mwst
  ust tva iva btw shipping freight versand transport porto discount rabatt remise`)
/** Beginnings of lines around a list. */
const aroundLists =
  words(`order po bestellung commande pedido ordine date datum tel phone fax invoice customer kunde hello hi hallo dear bonjour
  hola ciao thanks thank danke merci gracias grazie regards please bitte deliver delivery ship sent from to subject re`)

export function isTotalName(text: string) {
  return notParts.has(readFirstWord(text))
}

export function isAroundLists(text: string) {
  const first = readFirstWord(text)
  return aroundLists.has(first) || notParts.has(first)
}

function readFirstWord(text: string) {
  return /\p{L}+/u.exec(text.toLowerCase())?.[0] ?? ''
}
