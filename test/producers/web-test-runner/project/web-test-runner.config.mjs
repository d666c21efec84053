import { junitReporter } from '@web/test-runner-junit-reporter'
import { defaultReporter } from '@web/test-runner'
import { chromeLauncher } from '@web/test-runner-chrome'
export default { files: '*.test.js', rootDir: '.', concurrency: 1, browsers: [chromeLauncher({ launchOptions: { executablePath: process.env.CHROME_BIN, args: ['--no-sandbox'] } })], reporters: [junitReporter({ outputPath: './report.xml' })] }
