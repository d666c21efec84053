require('tap')
throw new Error('no database')
