exitProcess(with: Tool(arguments: Array(CommandLine.arguments.dropFirst())).run())
