import '../long/month/month.test.ts'
