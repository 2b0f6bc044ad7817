import { expect, test } from 'vitest'
import { matchTracking, readPastedColumn, readTrackingList } from './tracking-list.ts'

const parcels = [
  { _id: 'a', number: 'WW-1001' },
  { _id: 'b', number: 'WW-1002' },
  { _id: 'c', number: 'WW-1003' },
]

function read(text: string) {
  const list = readTrackingList(text)
  if ('error' in list) throw new Error(list.error)
  return matchTracking(list.rows, parcels)
}

test('columns of a carrier’s file are found by their headers, in any order and with any separator', () => {
  const found = {
    a: { carrier: 'UPS', trackingNumber: '1Z 999' },
    b: { carrier: 'DHL', trackingNumber: '00340' },
  }
  for (const text of [
    'Order number,Tracking number,Carrier\nWW-1001,1Z 999,UPS\nWW-1002,"=""00340""",DHL\n',
    "Carrier;Shipment tracking no.;Your reference\r\nUPS;1Z 999;#ww-1001\r\nDHL;'00340;WW-1002",
    'Name\tAuftrag\tSendungsnummer\tVersandart\nGreta\tWW-1001\t1Z 999\tUPS\nJo\tWW-1002\t00340\tDHL',
  ])
    expect(read(text), text).toEqual({ found, problems: [] })
})

test('rows that fit no order are named, and a second row of an order is not used', () => {
  const text = 'order,tracking\n9999,X1\nWW-1001,X2\nWW-1001,X3\nWW-1002,\n,X4'
  expect(read(text)).toEqual({
    found: { a: { carrier: '', trackingNumber: 'X2' } },
    problems: [
      'Line 2: no order 9999 was shipped here.',
      'Line 4: order WW-1001 is there twice. The first is used.',
      'Line 5: no tracking number for order WW-1002.',
      'Line 6: no order number.',
    ],
  })
})

test('a file without a column that is needed says which', () => {
  const columns = 'The first line of the file must name its columns: it has no'
  expect(readTrackingList('WW-1001,1Z 999')).toEqual({
    error: `${columns} “Order number” and no “Tracking number”.`,
  })
  expect(readTrackingList('Order,Carrier\n1,UPS')).toEqual({ error: `${columns} “Tracking number”.` })
  expect(readTrackingList('')).toHaveProperty('error')
})

test('a pasted column has a cell for each line, empty ones too, and one value is no column', () => {
  expect(readPastedColumn('X1\r\n\r\n ="003" \tother\n')).toEqual(['X1', '', '003'])
  expect(readPastedColumn('X1')).toEqual([])
  expect(readPastedColumn('X1\n')).toEqual([])
})
