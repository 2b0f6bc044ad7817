import { index, type RouteConfig, route } from '@react-router/dev/routes'

// biome-ignore format: a table
export default [
  index(                                       'pages/home.tsx'),
  route('home',                                'pages/home.tsx', { id: 'home' }),
  route('parts',                               'pages/parts.tsx'),
  route('parts/:partId',                       'pages/part.tsx'),
  route('part/:partId',                        'pages/purchase.tsx'),
  route('blogs',                               'pages/blogs.tsx'),
  route('portfolio',                           'pages/portfolio.tsx'),
  route('terms',                               'pages/terms.tsx'),
  route('privacy',                             'pages/privacy.tsx'),
  route('returns',                             'pages/returns.tsx'),
  route('outbox',                              'pages/outbox.tsx'),
  route('login',                               'pages/login.tsx'),
  route('registration',                        'pages/registration.tsx'),
  route('reset-password',                      'pages/reset-password.tsx'),

  route('dashboard',                           'dashboard/layout.tsx', [
    index(                                     'dashboard/index.tsx'),
    route('myOrders',                          'dashboard/my-orders.tsx'),
    route('orders/:id',                        'dashboard/order.tsx'),
    route('orders/:id/receipt',                'dashboard/receipt.tsx'),
    route('payment/:id',                       'dashboard/payment.tsx'),
    route('addReview',                         'dashboard/add-review.tsx'),
    route('myProfile',                         'dashboard/my-profile.tsx'),
    route('addProduct',                        'dashboard/admin/add-product.tsx'),
    route('manageProducts',                    'dashboard/admin/manage-products.tsx'),
    route('manageProducts/:partId',            'dashboard/admin/edit-product.tsx'),
    route('manageAllOrders',                   'dashboard/admin/manage-orders.tsx'),
    route('messages',                          'dashboard/admin/messages.tsx'),
  ]),

  route('api/docs',                            'pages/api-docs.tsx'),
  route('sitemap.xml',                         'pages/sitemap.ts'),
  route('robots.txt',                          'pages/robots.ts'),
  route('*',                                   'pages/not-found.tsx'),
] satisfies RouteConfig
