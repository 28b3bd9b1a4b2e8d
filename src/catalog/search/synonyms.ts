/**
 * What people call the things that records name with a capability or a word: first what to find,
 * with a dot a capability or a group of them, then words and phrases that mean it. Data, not code:
 * a line more needs no other change.
 */
export const SYNONYMS: ReadonlyArray<readonly [finds: string, phrases: string]> = [
  // Messages.
  [
    'sms.send sms.receive',
    'sms, text message, texting, text someone, text phone, text customer phone, mobile message, short message, mms, phone message, phone number, otp, verification code, one-time code',
  ],
  [
    'email.send',
    'send mail, send email, mailer, newsletter, transactional email, smtp, email delivery, outgoing mail',
  ],
  [
    'email.receive email.inbox',
    'receive mail, receive email, inbox, mailbox, incoming mail, read mail, read email, email address, inbound email, imap',
  ],
  ['email.send email.receive email.inbox', 'mail, email, gmail, mailgun, sendgrid, correspondence'],
  [
    'push.send',
    'push, push notification, notify, notification, notify phone, alert, alert phone, notify me, mobile notification, ping me, ping phone',
  ],
  [
    'chat.send chat.read',
    'chat, team chat, chat channel, channel, direct message, workspace message, instant message, chatbot, discord, post message',
  ],
  // The web.
  [
    'web.search',
    'web search, internet search, search web, search internet, search engine, google, bing, serp, search results, look up online, find online, browse for information, find pages, fact check, research, current information, real-time information',
  ],
  ['news.search', 'news, headlines, current events, articles, press'],
  ['web.answer', 'answer with sources, cited answers, citations'],
  [
    'web.extract web.scrape',
    'extract, page content, page text, read page, read web page, read url, fetch page, webpage to text, html to markdown, web page to text, website to markdown, website text, html to text, html to llm, text for llm, web page, extract data from websites, article text',
  ],
  [
    'web.scrape web.crawl',
    'scrape, scraper, scraping, web scraping, crawl, crawler, spider, whole site, entire site, all pages, harvest, sitemap',
  ],
  [
    'browser.session',
    'browser, headless, headless browser, headless chrome, chrome, chromium, firefox, webkit, puppeteer, selenium, click buttons, click buttons on page, fill form, web automation, browser automation, automate browser, ui testing, end-to-end tests, screenshot, screenshots, remote browser, cloud browser, real browser, drive browser, click things, log into website, use website',
  ],
  [
    'docs.search',
    'documentation, docs, library docs, library documentation, api reference, code examples, look up documentation, manual, up-to-date documentation',
  ],
  // Money.
  [
    'payment.accept',
    'take payments, accept payments, charge, card payments, credit card, debit card, checkout, payment processor, payment gateway, online payments, charge card, charge customer, collect money, bill customer, sell online, sell things, apple pay',
  ],
  ['payment.refund', 'refund, refunds, money back, give money back, chargeback, reimburse'],
  [
    'billing.subscriptions invoice.read',
    'billing, subscription, subscriptions, recurring payments, recurring billing, saas billing, plans, monthly charge, merchant of record',
  ],
  ['invoice.read', 'invoice, invoices, receipts, bills'],
  [
    'x402.accept x402.pay x402',
    'x402, pay per call, pay per request, pay per use, payments per call, micropayment, micropayments, stablecoin, usdc, wallet, pay with crypto, crypto payment, agent payments, machine payments, http 402, payment required, without account, no account, no signup, no sign-up, without signing up, without api key, no api key, monetise api, monetize api, charge per call, charge for api',
  ],
  [
    'x402.verify x402.settle',
    'facilitator, settle, settlement, verify payment, verify payments, settle payment, settle payments',
  ],
  // Secrets and identity.
  [
    'secret.read secret.write',
    'secret, secrets, credential, credentials, password, passwords, vault, api keys, store keys, environment variable, environment variables, env vars, dotenv, key management, secrets manager, secret storage, sensitive config, tokens safe, kms',
  ],
  [
    'secret.rotate',
    'rotate, rotation, rotate credentials, rotate keys, rotate passwords, key rotation, rotate secrets',
  ],
  [
    'identity.sign-in',
    'sign in, sign-in, sign on, single sign-on, sso, log in, login, log on, authentication, auth server, oauth provider, oauth server, openid, openid connect, oidc, saml, identity, identity provider, idp, user accounts, user management, access management, ldap',
  ],
  // Code.
  [
    'sandbox.create code.run',
    'sandbox, sandboxes, untrusted code, isolated code, code interpreter, isolated environment, microvm, execute generated code, run generated code, safe execution, run python, execute python',
  ],
  [
    'code.run',
    'run code, execute code, serverless, functions, function as a service, faas, lambda, cloud functions, edge functions, deploy code, worker, workers, execution environment',
  ],
  [
    'javascript runtime',
    'js runtime, node, run javascript, server side javascript, run typescript, npm alternative',
  ],
  ['edge', 'cdn, low latency compute, near users'],
  [
    'ci.read',
    'ci, ci cd, continuous integration, continuous delivery, build fail, build failed, build failure, failing build, broken build, build logs, pipeline, pipelines, failing tests, flaky tests, test runs, deployment pipeline, jenkins, github actions',
  ],
  // Data.
  [
    'file.store file.read',
    'file, files, file storage, upload, upload file, object storage, object store, blob, blobs, blob storage, bucket, buckets, s3, store images, store files, host files, file hosting, file sharing, attachments, cloud storage, backup, backups',
  ],
  [
    'ipfs',
    'decentralised storage, decentralized storage, distributed storage, pinning, pin files, content addressed, permanent storage, nft metadata',
  ],
  [
    'database.query',
    'database, databases, db, sql, relational, relational database, query data, tables, rows, postgres, postgresql, mysql, data store, store records',
  ],
  ['database.branch', 'branch, database branch, branching, copy of production database'],
  ['database.manage', 'manage clusters, database administration, dba'],
  ['postgres postgresql', 'postgres, postgresql, pg, psql'],
  ['mongodb', 'mongo, nosql, document database, atlas'],
  [
    'vector.search vector.store',
    'vector, vectors, vector database, vector store, embedding, embeddings, embeddings database, semantic search, similarity search, nearest neighbour, nearest neighbor, rag, retrieval, retrieval augmented generation, search my documents, search own documents, knowledge base',
  ],
  [
    'memory.store',
    'memory, long-term memory, remember, remember things, recall, agent memory, persistent memory, memories, remember conversations',
  ],
  [
    'state.checkpoint',
    'checkpoint, checkpoints, durable state, resume, resume workflow, persistent state, stateful, long-running agent, long-running workflow',
  ],
  [
    'finance.data',
    'stock, stocks, stock prices, stock market, share prices, equities, financial statement, financial statements, earnings, company financials, balance sheet, financial data, market data, sec filings, finance, investing',
  ],
  [
    'market.prices blockchain.tokens',
    'token prices, crypto prices, coin prices, cryptocurrency, cryptocurrencies, bitcoin price, coin, coins, defi, crypto market, trading data',
  ],
  [
    'blockchain.rpc blockchain.tokens',
    'blockchain, on-chain, onchain, rpc, rpc node, ethereum, solana, bitcoin, web3, smart contract, smart contracts, read chain, node provider, wallet balance, transactions on chain',
  ],
  // Agents and protocols.
  [
    'agent.run',
    'agent framework, build agent, build agents, agent library, agent sdk, agent loop, ai agents, create agent, workflow, workflows, orchestration, orchestrate, orchestrate agents',
  ],
  [
    'agent.handoff',
    'multi-agent, multi agent, several agents, team of agents, agents team, crew, handoff, hand off, delegate, agents together, agents collaborate, agents communicate, agents talking, agent to agent, agents talk',
  ],
  [
    'agent.discover a2a',
    'agent to agent, agents talking, agents talk, agents communicate, discover agents, find other agents, agent discovery, interoperability, agent card',
  ],
  [
    'agent.stream',
    'stream events, agent ui, chat interface, user interface, frontend, front end, show progress',
  ],
  [
    'human.ask',
    'human in the loop, ask human, ask person, approval, human approval, confirm with person, approve, supervision, human input',
  ],
  [
    'mcp.serve',
    'mcp server framework, build mcp server, write mcp server, make mcp server, create mcp server, host tools for models',
  ],
  ['mcp.call', 'mcp client, connect to mcp, call mcp servers'],
  ['mcp', 'model context protocol'],
  [
    'acp editors',
    'code editor, editor integration, ide, editor protocol, zed, coding agent in editor',
  ],
  [
    'output.structured',
    'structured output, structured outputs, typed output, json output, validated output, schema output, json schema, typed responses',
  ],
  ['protocol', 'standard, specification, open standard, spec'],
  ['framework', 'library, sdk'],
  // Models.
  [
    'model.call llm',
    'llm, language model, large language model, ai model, foundation model, text generation, generate text, chat completion, completion, completions, chatgpt, inference, gpt, generative ai, summarise text, summarize text, translate text',
  ],
  [
    'model.vision',
    'vision, image understanding, understand images, read images, describe image, describe pictures, analyse images, analyze images, multimodal, look at pictures, ocr, image input, picture to text',
  ],
  ['model.tools', 'tool calling, function calling, tool use, call tools, call functions'],
  [
    'image.generate',
    'image generation, generate image, generate images, create image, create images, draw, draw picture, text to image, picture generation, make pictures, illustration, diffusion, art, pictures from text, image from text, paint',
  ],
  [
    'open-weights',
    'open weights, open weight, open source model, open source llm, open model, llama, downloadable weights, self-hosted model',
  ],
  [
    'open-weights open-source gpt-oss',
    'open source llm, open source model, open source models, open llm',
  ],
  [
    'multi-provider',
    'many providers, several providers, any model, provider independent, switch models, many models, unified api',
  ],
  ['google', 'gemini'],
  ['openai', 'gpt, chatgpt'],
  ['anthropic', 'claude'],
  // Where and how.
  [
    'self-hosted',
    'self-host, self host, host myself, host it myself, own server, on-premise, on premises, on-prem, run myself, run it myself, locally',
  ],
  ['hosted', 'cloud, managed, saas'],
  ['free', 'free of charge, no cost, gratis, without paying, costs nothing'],
  ['typescript javascript', 'ts, js, typescript, javascript'],
  ['python', 'py, pip, pypi'],
]
