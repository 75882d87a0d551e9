export DATABASE_URL=postgres://shop@localhost/shop            # the application's tables
export TEST_DATABASE_URL=postgres://shop@localhost/shop_tests # tests delete its rows
export IDS_STORE=$DATABASE_URL                                # snowmint's tables, in a schema of their own
